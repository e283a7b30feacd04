"""Tests of the packets, the addresses and the device."""
