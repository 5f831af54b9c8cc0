"""Tables: run tables in, CSV, Markdown and LaTeX out."""
