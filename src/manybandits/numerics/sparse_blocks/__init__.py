"""Methods for block contexts (x in block k of K, zeros elsewhere) that store x once and never write the zeros out."""
