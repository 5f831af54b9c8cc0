"""Readers of raw files: a module per kind of data, with a function per format.

A reader gets the path of each raw file by name, in the order of the declaration, and what `sources.yaml` gives as
`options`. It returns the tidy tables and the counts that are found. What it raises where a file is not what it should
be is told by `manybandits.datasets.build`, with the files and the cure.
"""
