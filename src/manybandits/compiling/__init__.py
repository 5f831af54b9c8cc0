"""How policies become machine code: parts, replicas of a state, and the kernels that play them."""
