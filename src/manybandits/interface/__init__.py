"""The Python interface: what ``import manybandits as mb`` offers, apart from the command line and the workflow."""
