"""Fuzz targets of the PKCS#11 module, its daemon and OpenSSL's provider. `make fuzz` runs them."""
