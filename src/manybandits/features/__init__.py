"""From tidy data to feature vectors: arrays in, arrays out."""
