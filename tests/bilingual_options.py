"""Options of the small bilingual models."""

from truecase.training.options import TrainingOptions

COARSE = TrainingOptions(preset="bilingual", segmentation="space")
FINE = TrainingOptions(
    preset="bilingual-fine", segmentation="space", folds=2, fine_size=60_000, epochs=4
)
