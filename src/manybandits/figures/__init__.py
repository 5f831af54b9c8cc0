"""Figures: run tables become a PNG, an SVG and the CSV of what is drawn."""
