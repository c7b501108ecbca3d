"""What the model's weights look at: dense features, sparse ones, those of the source."""
