"""RSA on a core: keys, raw operations on a device, and padding schemes."""
