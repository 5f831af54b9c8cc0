"""Games: frozen in a file, drawn round by round from a seed. They never know who plays."""
