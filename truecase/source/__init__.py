"""What the source sentence tells of each target word; translation tables."""
