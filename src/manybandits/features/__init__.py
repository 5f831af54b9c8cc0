"""Feature vectors of users and items from tidy data: arrays in, arrays out."""
