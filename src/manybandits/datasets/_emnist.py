"""Source and licence of EMNIST, shared by the data sets made of it."""

FAMILY = "emnist-letters"
LICENCE = "derived from NIST Special Database 19 (US government work); no explicit licence"
CITATION = "Cohen, Afshar, Tapson and van Schaik 2017, EMNIST: extending MNIST to handwritten letters"
HOME = "https://www.nist.gov/itl/products-and-services/emnist-dataset"
TRANSPOSED = "Images are stored as in the official files: transpose one to see it upright."
