"""Power of a design on an FPGA: an estimate."""
