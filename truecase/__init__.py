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

    from truecase._installation import __version__
    from truecase.alignment.parallel import AlignmentFile
    from truecase.bridge.case_bridge import CaseBridge
    from truecase.bridge.records import CaseRecord
    from truecase.compat.truecase_package import TrueCaser, get_true_case
    from truecase.errors import CountsError, ModelError, ReviewError, TrainingError, TruecaseError
    from truecase.formats.bibliographies import case_bibliography
    from truecase.formats.case_file import case_file
    from truecase.formats.case_table import case_table
    from truecase.formats.corrections import ReviewSettings
    from truecase.formats.review import apply_corrections, review_file
    from truecase.model.model import Model
    from truecase.multilingual.truecaser import MultilingualTruecaser
    from truecase.names._name_list import NameList
    from truecase.names.names import name_list
    from truecase.names.read import read_names
    from truecase.options import (
        AfterColon,
        Casing,
        Context,
        DecodeWith,
        InputCase,
        SentenceStart,
        Style,
    )
    from truecase.smartcase.capitalize import capitalize
    from truecase.smartcase.moses import MosesModel
    from truecase.smartcase.normalize import normalize
    from truecase.titles.sentence_case import CasedTitle, SentenceCaser, sentence_case
    from truecase.training.count_text import count_text, merge_counts
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
    "Casing",
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
    "AlignmentFile": "truecase.alignment.parallel",
    "Bitext": "truecase.training.material",
    "CaseBridge": "truecase.bridge.case_bridge",
    "CaseRecord": "truecase.bridge.records",
    "CasedTitle": "truecase.titles.sentence_case",
    "Casing": "truecase.options",
    "Context": "truecase.options",
    "CountsError": "truecase.errors",
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
    "ReviewError": "truecase.errors",
    "ReviewSettings": "truecase.formats.corrections",
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
    "__version__": "truecase._installation",
    "apply_corrections": "truecase.formats.review",
    "capitalize": "truecase.smartcase.capitalize",
    "case_bibliography": "truecase.formats.bibliographies",
    "case_file": "truecase.formats.case_file",
    "case_table": "truecase.formats.case_table",
    "count_text": "truecase.training.count_text",
    "get_true_case": "truecase.compat.truecase_package",
    "merge_counts": "truecase.training.count_text",
    "name_list": "truecase.names.names",
    "normalize": "truecase.smartcase.normalize",
    "read_names": "truecase.names.read",
    "restore_sharp_s": "truecase.truecaser.sharp_s",
    "review_file": "truecase.formats.review",
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
    input_case, style, sentence_start : str
        See `truecase.options.Casing`.

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
