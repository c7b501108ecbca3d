"""The title detector of a model: its weights, a byte each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from truecase.errors import ModelError
from truecase.modelfile._component import Component

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from truecase.styles._titles import TitleDetector

_N_WEIGHTS = 1 << 15  # those of a `TitleDetector`
_WEIGHT_STEP = 1 / 16
_ZERO_CODE = 128


class TitleWeights(Component):
    """What tells titles from sentences by their form.

    One array, ``weights``: sixteenths, 128 more than what they stand for.
    """

    about = "a detector of titles"

    def __init__(
        self,
        arrays: Mapping[str, npt.NDArray[Any]],
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        codes = self.arrays.get("weights")
        if codes is None or codes.dtype != np.uint8 or codes.shape != (_N_WEIGHTS,):
            raise ModelError(f"the array titles/weights is not a vector of {_N_WEIGHTS} bytes")

    @classmethod
    def of(cls, detector: TitleDetector) -> TitleWeights:
        """Those of a detector that has learnt."""
        codes = np.rint(detector.weights / _WEIGHT_STEP) + _ZERO_CODE
        return cls({"weights": np.clip(codes, 0, 255).astype(np.uint8)})

    def detector(self, segmentation: str, language: str) -> TitleDetector:
        """What detects titles."""
        # Most texts are cased as sentences: loading a model must not pay for it.
        from truecase.styles._titles import TitleDetector

        codes = np.asarray(self.arrays["weights"], np.float32)
        return TitleDetector(segmentation, language, (codes - _ZERO_CODE) * _WEIGHT_STEP)
