"""Tables, figures and conclusions in words. Values and their formats are in `report.values`."""

from totient.report.table import Column, Report, Table, columns
from totient.report.values import Value

__all__ = ["Column", "Report", "Table", "Value", "columns"]
