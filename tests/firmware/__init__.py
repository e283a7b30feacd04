"""Tests of the programs under firmware/, on this machine and on simulated processors."""
