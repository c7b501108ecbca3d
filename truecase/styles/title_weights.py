"""The title detector of a model: its weights, a byte each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from truecase.modelfile._component import Component

if TYPE_CHECKING:
    from collections.abc import Mapping

    from truecase.base.container import Buffers
    from truecase.styles._titles import TitleDetector

_N_WEIGHTS = 1 << 15  # those of a `TitleDetector`
_WEIGHT_STEP = 1 / 16
_ZERO_CODE = 128


class TitleWeights(Component):
    """The weights of a `TitleDetector`.

    One array, ``weights``: a code minus 128 is the weight in sixteenths.
    """

    about = "a detector of titles"

    def __init__(
        self,
        arrays: Buffers,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.section("titles").vector("weights", "uint8", _N_WEIGHTS)

    @classmethod
    def of(cls, detector: TitleDetector) -> TitleWeights:
        """Pack the weights of a trained detector."""
        import numpy as np

        codes = np.rint(detector.weights / _WEIGHT_STEP) + _ZERO_CODE
        return cls({"weights": np.clip(codes, 0, 255).astype(np.uint8)})

    def detector(self, segmentation: str, language: str) -> TitleDetector:
        """Unpack the detector."""
        # Most texts are cased as sentences: loading a model must not pay for it.
        import numpy as np

        from truecase.styles._titles import TitleDetector

        codes = self.arrays["weights"].astype(np.float32)
        return TitleDetector(segmentation, language, (codes - _ZERO_CODE) * _WEIGHT_STEP)
