import numpy as np
import numpy.typing as npt

__all__ = ["add_masses"]

def add_masses(
    contexts: npt.NDArray[np.int64],
    probability: npt.NDArray[np.float64],
    shorter: npt.NDArray[np.float64],
    kept_mass: npt.NDArray[np.float64],
    shorter_mass: npt.NDArray[np.float64],
) -> None: ...
