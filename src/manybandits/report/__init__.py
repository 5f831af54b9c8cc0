"""The page people read: figures, tables, and what they were made from."""
