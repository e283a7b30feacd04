"""The PKCS#11 token: a folder with keys, the module that programs load, and the daemon."""
