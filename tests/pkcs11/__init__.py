"""Tests of the PKCS#11 token: the module, the daemon, and programs that use them unmodified."""
