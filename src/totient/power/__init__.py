"""Power of a design on an FPGA: an estimate."""

from totient.power.estimate import ERROR, FABRICS, Fabric, Power, estimate

__all__ = ["ERROR", "FABRICS", "Fabric", "Power", "estimate"]
