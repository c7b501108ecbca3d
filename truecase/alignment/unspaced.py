"""Text in which words stand without spaces: links of its words say nothing.

Links are between words as white space cuts them. Of Chinese, Japanese, Thai, Lao, Khmer or Burmese
that nobody has segmented these are whole clauses.
"""

import re

_LETTER = (
    "[\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17dd"
    "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_OF_SCRIPT = re.compile(_LETTER)
# So many in a row are more than words have.
_CLAUSE = re.compile(_LETTER + "{12,}")
# So many of such words may be clauses in a text that was segmented: names, mishaps.
_MOST_CLAUSES = 0.1
#: What segments such text.
SEGMENTERS = "jieba for Chinese, fugashi for Japanese, PyThaiNLP for Thai, PyICU for any of them"


class SpacedWords:
    """Counts, over the blocks of a text, the words that are whole clauses."""

    def __init__(self) -> None:
        self._n_words = 0
        self._n_clauses = 0

    def add(self, block: bytes) -> None:
        """Look at a block of UTF-8 text."""
        if block.isascii():
            return
        text = block.decode("utf-8", "replace")
        words = [word for word in text.split() if _OF_SCRIPT.search(word)]
        self._n_words += len(words)
        self._n_clauses += sum(_CLAUSE.search(word) is not None for word in words)

    @property
    def are_clauses(self) -> bool:
        """Whether too many words of such scripts are clauses."""
        return self._n_clauses > _MOST_CLAUSES * self._n_words
