"""Types of the compiled module `truecase.base._vectors`."""

from truecase.base.container import Buffer

def is_laid_out(buffer: Buffer) -> bool:
    """Whether the entries lie one after the other, each where its type may lie."""

def all_between(values: Buffer, low: float, high: float) -> bool:
    """Whether all entries are numbers within bounds; no NaN is."""

def give_back_memory() -> None: ...
