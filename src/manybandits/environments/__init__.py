"""Games, frozen in files: their rounds are drawn from a seed and do not depend on the algorithm that plays."""
