"""RSA on a core: keys, the raw operations on a device, and the padding schemes above them."""
