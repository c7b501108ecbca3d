"""Restores the capitalisation of lowercased text.

>>> import truecase
>>> truecase.truecase("she moved from new york to the netherlands in 2009 .")
'She moved from New York to the Netherlands in 2009 .'
"""

import os

from truecase._installation import use_installed_package, warn_of_namesake

use_installed_package(os.path.dirname(__file__))
warn_of_namesake(os.path.dirname(__file__))

# To type checkers it is true. The module `typing` takes longer to import than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truecase.alignment.alignment_file import AlignmentFile
    from truecase.bibliographies.title_caser import case_bibliography
    from truecase.bridge.case_bridge import CaseBridge
    from truecase.bridge.records import CaseRecord
    from truecase.compat.truecase_package import TrueCaser, get_true_case
    from truecase.counts.errors import CountsError
    from truecase.counts.merge import merge_counts
    from truecase.errors import ModelError, TrainingError, TruecaseError
    from truecase.formats.case_file import case_file
    from truecase.model.model import Model
    from truecase.multilingual.truecaser import MultilingualTruecaser
    from truecase.names._name_list import NameList
    from truecase.names.names import name_list
    from truecase.names.read import read_names
    from truecase.options import AfterColon, Context, DecodeWith, InputCase, SentenceStart, Style
    from truecase.review.review import apply_corrections, review_file
    from truecase.review.settings import ReviewError, ReviewSettings
    from truecase.runtime.version import __version__
    from truecase.smartcase.capitalize import capitalize
    from truecase.smartcase.moses import MosesModel
    from truecase.smartcase.normalize import normalize
    from truecase.tables.case_table import case_table
    from truecase.titles.sentence_case import CasedTitle, SentenceCaser, sentence_case
    from truecase.training.count_text import count_text
    from truecase.training.material import Bitext
    from truecase.training.recipe import (
        PRESETS,
        Adaptation,
        DenseRecipe,
        Filters,
        LexiconRecipe,
        NgramRecipe,
        Packing,
        PortageRecipe,
        Recipe,
        SourceRecipe,
        SparseRecipe,
        TextRecipe,
        TranslationRecipe,
    )
    from truecase.truecaser import Truecaser
    from truecase.truecaser.sharp_s import restore_sharp_s

__all__ = [
    "PRESETS",
    "Adaptation",
    "AfterColon",
    "AlignmentFile",
    "Bitext",
    "CaseBridge",
    "CaseRecord",
    "CasedTitle",
    "Context",
    "CountsError",
    "DecodeWith",
    "DenseRecipe",
    "Filters",
    "InputCase",
    "LexiconRecipe",
    "Model",
    "ModelError",
    "MosesModel",
    "MultilingualTruecaser",
    "NameList",
    "NgramRecipe",
    "Packing",
    "PortageRecipe",
    "Recipe",
    "ReviewError",
    "ReviewSettings",
    "SentenceCaser",
    "SentenceStart",
    "SourceRecipe",
    "SparseRecipe",
    "Style",
    "TextRecipe",
    "TrainingError",
    "TranslationRecipe",
    "TrueCaser",
    "TruecaseError",
    "Truecaser",
    "__version__",
    "apply_corrections",
    "capitalize",
    "case_bibliography",
    "case_file",
    "case_table",
    "count_text",
    "get_true_case",
    "merge_counts",
    "name_list",
    "normalize",
    "read_names",
    "restore_sharp_s",
    "review_file",
    "sentence_case",
    "truecase",
]

# Where the names are that are imported when they are first asked for: some need NumPy and the
# compiled modules, and each module takes time to find.
_MODULES = {
    "Adaptation": "truecase.training.recipe",
    "AfterColon": "truecase.options",
    "AlignmentFile": "truecase.alignment.alignment_file",
    "Bitext": "truecase.training.material",
    "CaseBridge": "truecase.bridge.case_bridge",
    "CaseRecord": "truecase.bridge.records",
    "CasedTitle": "truecase.titles.sentence_case",
    "Context": "truecase.options",
    "CountsError": "truecase.counts.errors",
    "DecodeWith": "truecase.options",
    "DenseRecipe": "truecase.training.recipe",
    "Filters": "truecase.training.recipe",
    "InputCase": "truecase.options",
    "LexiconRecipe": "truecase.training.recipe",
    "Model": "truecase.model.model",
    "ModelError": "truecase.errors",
    "MosesModel": "truecase.smartcase.moses",
    "MultilingualTruecaser": "truecase.multilingual.truecaser",
    "NameList": "truecase.names._name_list",
    "NgramRecipe": "truecase.training.recipe",
    "PRESETS": "truecase.training.recipe",
    "Packing": "truecase.training.recipe",
    "PortageRecipe": "truecase.training.recipe",
    "Recipe": "truecase.training.recipe",
    "ReviewError": "truecase.review.settings",
    "ReviewSettings": "truecase.review.settings",
    "SentenceCaser": "truecase.titles.sentence_case",
    "SentenceStart": "truecase.options",
    "SourceRecipe": "truecase.training.recipe",
    "SparseRecipe": "truecase.training.recipe",
    "Style": "truecase.options",
    "TextRecipe": "truecase.training.recipe",
    "TrainingError": "truecase.errors",
    "TranslationRecipe": "truecase.training.recipe",
    "TrueCaser": "truecase.compat.truecase_package",
    "TruecaseError": "truecase.errors",
    "Truecaser": "truecase.truecaser",
    "__version__": "truecase.runtime.version",
    "apply_corrections": "truecase.review.review",
    "capitalize": "truecase.smartcase.capitalize",
    "case_bibliography": "truecase.bibliographies.title_caser",
    "case_file": "truecase.formats.case_file",
    "case_table": "truecase.tables.case_table",
    "count_text": "truecase.training.count_text",
    "get_true_case": "truecase.compat.truecase_package",
    "merge_counts": "truecase.counts.merge",
    "name_list": "truecase.names.names",
    "normalize": "truecase.smartcase.normalize",
    "read_names": "truecase.names.read",
    "restore_sharp_s": "truecase.truecaser.sharp_s",
    "review_file": "truecase.review.review",
    "sentence_case": "truecase.titles.sentence_case",
}


def __getattr__(name: str) -> "Any":
    if name in _MODULES:
        from importlib import import_module

        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


_english: "Truecaser | None" = None


def truecase(
    text: str,
    input_case: "InputCase" = "ignore",
    style: "Style" = "sentence",
    *,
    sentence_start: "SentenceStart" = "always",
) -> str:
    """Case English text with the embedded model.

    Parameters
    ----------
    text : str
        One or more lines; only their case is changed.
    input_case : {"ignore", "keep", "auto"}
        What the case of the input means: nothing; words that have upper case stay as they
        are; or by line, ``ignore`` where all letters have the same case and else all words
        but the first stay.
    style : {"sentence", "title", "upper", "auto"}
        How the text comes out; see `truecase.styles.styles`.
    sentence_start : {"always", "learned"}
        Whether the first word of a sentence, and the word I, has a capital by rule, or where
        the model's weights give it one.

    Returns
    -------
    str
    """
    global _english
    if _english is None:
        from truecase.truecaser import Truecaser

        # Threads that come first together load it each; they share its file's pages.
        _english = Truecaser.load()
    return _english(text, input_case, style, sentence_start=sentence_start)
