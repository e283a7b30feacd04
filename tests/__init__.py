"""Tests: `rtl/` of the hardware, `unit/` of the tool, `system/` of the two together."""
