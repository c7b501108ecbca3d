"""Values that options of casing take, as types; each is written down here and nowhere else."""

import os
from typing import Literal

#: The path of a file.
StrPath = str | os.PathLike[str]

#: How text comes out: as sentences, as titles, in upper case, by the line, as titles by a guide or
#: by the length of words, or by the line with such titles.
Style = Literal[
    "sentence",
    "title",
    "upper",
    "auto",
    "title-ap",
    "title-apa",
    "title-chicago",
    "title-long-words",
    "auto-ap",
    "auto-apa",
    "auto-chicago",
    "auto-long-words",
]

#: How the texts of a file come out: in a style, or each in that of its source.
FileStyle = Literal[
    "sentence",
    "source",
    "title",
    "upper",
    "title-ap",
    "title-apa",
    "title-chicago",
    "title-long-words",
]

#: What upper case in the input means: nothing; words that have it keep it; by the line.
InputCase = Literal["ignore", "keep", "auto"]

#: Whether first words have a capital by rule, or where the model's weights give them one.
SentenceStart = Literal["always", "learned"]

#: What a line is: sentences by itself, or a part of a document, whose sentences run over line ends.
Context = Literal["line", "document"]

#: What of a model decodes: all that it has, for every word; all but what reads whole sentences; its
#: n-grams alone, or its lexicon.
DecodeWith = Literal["whole", "words", "ngram", "unigram"]

#: Whether the first word after a colon in a title has a capital.
AfterColon = Literal["capital", "lower"]

#: A word that a colon introduces: as the model has it, like a sentence's first, or as inside one.
ColonStyle = Literal["as-learned", "capital", "lower"]

#: Offices and bodies that stand alone: as the model has them, behind *the* with a capital, without.
OfficeStyle = Literal["as-learned", "capital", "lower"]

#: How subwords are marked: ``▁`` begins a word, ``@@`` ends what goes on, ``##`` goes on.
SubwordForm = Literal["sentencepiece", "bpe", "wordpiece"]
