"""Figures: run tables in, a PNG, an SVG and the CSV they were drawn from out."""
