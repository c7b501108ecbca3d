"""What a learner found out, beside the component that it learned."""

from typing import Any, Protocol


class Figures(Protocol):
    """Of one learner."""

    def to_dict(self) -> dict[str, Any]:
        """For the notes of a model."""
