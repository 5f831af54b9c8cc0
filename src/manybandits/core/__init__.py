"""What every floor stands on: errors, artifacts, seeds, ridge regression, kernels, statistics."""
