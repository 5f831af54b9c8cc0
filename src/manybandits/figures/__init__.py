"""Figures: run tables become an SVG and the CSV of what is drawn."""
