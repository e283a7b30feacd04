"""Campaigns that take hours, kept under results/ and continued: flipped bits, endurance."""
