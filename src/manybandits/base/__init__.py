"""What every other package stands on: errors that say the cure, artifacts, configuration, seeds, statistics."""
