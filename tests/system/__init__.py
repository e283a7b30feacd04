"""Tests of the whole: the commands on simulated cores, against other programs."""
