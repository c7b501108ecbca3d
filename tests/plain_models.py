"""Models that leave no doubt about what was cased."""

from truecase.kernels._unicode import upper


class Upper:
    """Raises every letter."""

    def __init__(self):
        self.metadata = {"decoder": {}}
        self.lines = []

    def case_block(self, block, threads=1, input_case="ignore"):
        text = block.decode("utf-8")
        self.lines += text.split("\n")
        return upper(text).encode("utf-8")


class Nothing:
    """Changes nothing."""

    def case_block(self, block, threads=1, input_case="ignore"):
        return block
