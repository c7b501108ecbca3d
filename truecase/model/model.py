"""`Model`: the components that a truecaser cases with, most of them optional."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from truecase.base._component import Component
from truecase.base.argument_types import check_arguments, check_type
from truecase.base.model_file import fingerprint, identity, read_model, write_model
from truecase.base.progress import log
from truecase.errors import ModelError, named
from truecase.kernels._unicode import UNICODE_VERSION
from truecase.kernels.text import CASINGS, Casing, language_of, primary_language
from truecase.model.embedded import EMBEDDED, is_embedded, model_file
from truecase.options import DecodeWith, StrPath

if TYPE_CHECKING:
    from truecase.base.model_file import Arrays, Buffer, Buffers
    from truecase.kernels import _components
    from truecase.kernels._lexicon import Lexicon
    from truecase.kernels._names import NameList
    from truecase.kernels._ngrams import Domain, LanguageModel
    from truecase.kernels._punctuation_network import Marks
    from truecase.ngram.kept_words import KeptWords
    from truecase.rules.styles import TitleWeights

    #: Arrays and settings of components, by the names of these.
    Parts = dict[str, tuple[dict[str, Buffer], dict[str, Any]]]


class Record:
    """An immutable object, compared and shown by its fields.

    For the parts of a model that are not components. It stands in for a frozen dataclass, since
    `dataclasses` takes as long to import as a model takes to load. A subclass names its fields in
    `FIELDS`, and its ``__init__`` passes them to `_set` by name.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()

    def _set(self, **values: object) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(tuple(self.fields().values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.fields().items())
        return f"{type(self).__name__}({shown})"

    def fields(self) -> dict[str, Any]:
        """The fields' values by name."""
        return {name: getattr(self, name) for name in self.FIELDS}


SEGMENTATIONS = ("raw", "space")


class TextSettings(Record):
    """How text is segmented and cased.

    Attributes
    ----------
    segmentation : {"raw", "space"}
        Natural text, or tokens separated by white space.
    casing : {"default", "turkic"}
        The case mapping.
    unicode : str
        The Unicode version by which words were lowercased.
    language : str
        A code such as ``en``; empty if unknown.

    Raises
    ------
    ModelError
        A setting is unknown, or this package has another Unicode version.
    """

    segmentation: Literal["raw", "space"]
    casing: Casing
    unicode: str
    language: str

    FIELDS = ("segmentation", "casing", "unicode", "language")

    def __init__(
        self,
        segmentation: Literal["raw", "space"],
        casing: Casing,
        unicode: str = UNICODE_VERSION,
        language: str = "",
    ) -> None:
        self._set(segmentation=segmentation, casing=casing, unicode=unicode, language=language)
        for name, choices in (("segmentation", SEGMENTATIONS), ("casing", CASINGS)):
            if getattr(self, name) not in choices:
                raise ModelError(
                    f"the setting {name} is {getattr(self, name)!r}, expected one of "
                    f"{', '.join(choices)}"
                )
        if self.unicode != UNICODE_VERSION:
            raise ModelError(
                f"the model's words are lowercased by Unicode {self.unicode}, and this package "
                f"has the case mappings of Unicode {UNICODE_VERSION}: use the version of the "
                "package that the model was trained with, or train it again"
            )

    @property
    def casing_language(self) -> str:
        """A language with this case mapping, for functions that take one: ``tr``, or empty."""
        return language_of(self.casing)

    @property
    def writing_language(self) -> str:
        """The language whose spelling rules apply."""
        return self.casing_language or primary_language(self.language)

    def replace(self, **settings: str) -> TextSettings:
        """Return a copy with other settings; raises as the constructor does."""
        return TextSettings(**{**self.fields(), **settings})


#: Components, by the names of their sections, and their classes, imported when a model has one.
COMPONENTS = {
    "lexicon": "kernels._lexicon.Lexicon",
    "lm": "kernels._ngrams.LanguageModel",
    "dense": "kernels._components.DenseFeatures",
    "source": "kernels._components.SourceFeatures",
    "tables": "kernels._components.TranslationTables",
    "portage": "kernels._components.CaseModels",
    "domain": "kernels._ngrams.Domain",
    "titles": "rules.styles.TitleWeights",
    "words": "ngram.kept_words.KeptWords",
    "names": "kernels._names.NameList",
    "network": "kernels._components.Network",
    "marks": "kernels._punctuation_network.Marks",
    "calibration": "kernels._components.Calibration",
}


def class_of(component: str) -> type[Component]:
    """Import the class of one of `COMPONENTS`."""
    module, _, name = COMPONENTS[component].rpartition(".")
    found: type[Component] = getattr(import_module(f"truecase.{module}"), name)
    return found


def parts_of(
    arrays: Buffers, metadata: Mapping[str, Any]
) -> tuple[dict[str, str], Parts, dict[str, Any]]:
    """Split a file that need not hold a whole model.

    Raises
    ------
    ModelError
        A section is unknown, or the text settings are missing.
    """
    sections = metadata["sections"]
    text = sections.get("text")
    if not isinstance(text, dict):
        raise ModelError("the section text is missing")
    for name in TextSettings.FIELDS:
        if not isinstance(text.get(name), str):
            raise ModelError(f"the setting text.{name} is missing")
    parts: Parts = {}
    for name, settings in sections.items():
        if name == "text":
            continue
        if name not in COMPONENTS or not isinstance(settings, dict):
            raise ModelError(
                f"the section {name} is unknown; a newer version of the package may have it"
            )
        parts[name] = ({}, settings)
    for name, array in arrays.items():
        section, _, own = name.partition("/")
        if section not in parts:
            raise ModelError(f"the array {name} belongs to no section")
        parts[section][0][own] = array
    notes = metadata.get("notes")
    return (
        {name: text[name] for name in TextSettings.FIELDS},
        parts,
        notes if isinstance(notes, dict) else {},
    )


def flatten(
    text: Mapping[str, str], parts: Mapping[str, Component], notes: Mapping[str, Any]
) -> tuple[Arrays, dict[str, Any]]:
    """Join the arrays and settings of components to those of a file."""
    flat = {f"{name}/{own}": a for name, part in parts.items() for own, a in part.arrays.items()}
    settings = {name: part.settings for name, part in parts.items()}
    return flat, {"sections": {"text": dict(text), **settings}, "notes": dict(notes)}


class Origin(NamedTuple):
    """A model file and the components loaded from it.

    Attributes
    ----------
    embedded, path : str or None
        Name of an embedded model, or absolute path of any other.
    identity : str
        Identifies the file's contents; see `truecase.base.model_file.identity`.
    components : dict of str to Component
    settings : tuple
        The file's text settings and notes.
    is_mapped : bool
        Whether the file was mapped, not read.
    """

    embedded: str | None
    path: str | None
    identity: str
    components: dict[str, Component]
    settings: tuple[object, object]
    is_mapped: bool

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the identity."""
        return fingerprint(self.identity)


_NO_NOTES: dict[str, Any] = {}

# Components that score words; a calibration is learned from their output.
_SCORES = ("text", "lexicon", "lm", "dense", "portage", "domain", "network")

# What a unigram model keeps.
_BESIDE_FORMS = ("lexicon", "titles", "words", "names", "marks")

_NOT_BESIDE_PORTAGE = ("dense", "source", "tables", "domain", "network")


class Model(Record):
    """The components of a truecaser.

    Attributes
    ----------
    text : TextSettings
    lexicon : Lexicon
    lm : LanguageModel or None
        Without it, each word gets its most frequent form.
    dense : DenseFeatures or None
    source : SourceFeatures or None
        Without it, lines with a source use weights that suit any language pair.
    tables : TranslationTables or None
    portage : CaseModels or None
    domain : Domain or None
        A second language model.
    titles : TitleWeights or None
    words : KeptWords or None
        For ARPA and mapping files.
    names : NameList or None
        Names whose case overrides the other components.
    marks : Marks or None
        Adds punctuation to text without it.
    calibration : Calibration or None
        Without it, probabilities are those of the model's scores.
    trust : float
        Nats that a word's input form gains, beyond the usual, in the text that the model is fitted
        to. No file has it.
    notes : dict
        Recipe, corpus, licence, figures; they have no effect.

    Raises
    ------
    WrongTypeError
        A component has another type.
    ModelError
        Components contradict each other.
    """

    text: TextSettings
    lexicon: Lexicon
    lm: LanguageModel | None
    dense: _components.DenseFeatures | None
    source: _components.SourceFeatures | None
    tables: _components.TranslationTables | None
    portage: _components.CaseModels | None
    domain: Domain | None
    titles: TitleWeights | None
    words: KeptWords | None
    names: NameList | None
    network: _components.Network | None
    marks: Marks | None
    calibration: _components.Calibration | None
    trust: float
    notes: dict[str, Any]
    #: The file of its components; some may have been replaced.
    origin: Origin | None

    FIELDS = ("text", *COMPONENTS, "trust", "notes")

    def __init__(
        self,
        text: TextSettings,
        lexicon: Lexicon,
        *,
        notes: dict[str, Any] = _NO_NOTES,
        trust: float = 0.0,
        **components: Component | None,
    ) -> None:
        unknown = sorted(components.keys() - COMPONENTS.keys())
        if unknown:
            raise TypeError(f"a model has no component {unknown[0]}")
        self._set(
            **{**dict.fromkeys(COMPONENTS), **components, "lexicon": lexicon},
            text=text,
            trust=trust,
            notes={} if notes is _NO_NOTES else notes,
            origin=None,
        )
        self._check_types()
        for name in ("dense", "portage"):
            part = getattr(self, name)
            n = None if part is None else part.n_records
            if n is not None and n != self.lexicon.n_records:
                raise ModelError(
                    f"the arrays of {name} describe {n} forms, and the lexicon has "
                    f"{self.lexicon.n_records}"
                )
        if self.portage is not None:
            # Φ belongs to the forms of one lexicon, and Ω has no term for other scores.
            beside = [name for name in _NOT_BESIDE_PORTAGE if getattr(self, name) is not None]
            if beside:
                raise ModelError(
                    f"portage goes with n-grams alone, and the model also has {', '.join(beside)}: "
                    "leave out one or the other"
                )
        if self.network is not None and (self.order < 2 or self.dense is not None):
            raise ModelError("a network stands beside n-grams, without dense features")
        if self.domain is not None and self.domain.lm.order != self.order:
            raise ModelError(
                f"the n-grams of the domain are of order {self.domain.lm.order}, and the model's "
                f"of order {self.order}"
            )

    def _check_types(self) -> None:
        for name, part in self.fields().items():
            is_optional = name not in ("text", "lexicon", "trust", "notes")
            if part is None and is_optional:
                continue
            kinds: dict[str, type[Any]] = {"text": TextSettings, "trust": float, "notes": dict}
            kind = kinds.get(name) or class_of(name)
            check_type(name, part, kind, kind.__name__ + (" or None" if is_optional else ""))

    def components(self) -> dict[str, Component]:
        """The model's components by name."""
        return {
            name: value for name, value in self.fields().items() if isinstance(value, Component)
        }

    def about(self) -> dict[str, Any]:
        """Summarise the model for tables: preset, order, segmentation, language, tokens."""
        corpus = self.notes.get("corpus")
        return {
            "preset": self.preset,
            "order": self.order,
            "segmentation": self.text.segmentation,
            "language": self.text.language,
            "tokens": corpus.get("tokens") if isinstance(corpus, dict) else None,
        }

    @property
    def preset(self) -> str:
        """The preset whose components the model has, for information."""
        if self.lm is None:
            return "unigram"
        if self.portage is not None:
            return "portage"
        if self.network is not None:
            return "crf-neural" if self.tables is None else "bilingual-neural"
        if self.dense is not None:
            # Both have the same components; bilingual is meant for lines with a source.
            training = self.notes.get("training")
            recipe = training.get("preset") if isinstance(training, dict) else None
            return "bilingual" if recipe == "bilingual" else "crf"
        return "ngram"

    @property
    def order(self) -> int:
        """Order of the language model; 1 without one."""
        return 1 if self.lm is None else self.lm.order

    @property
    def takes_source(self) -> bool:
        """Whether it can use a source sentence: unigram models and Portage's cannot."""
        return self.lm is not None and self.portage is None

    @property
    def first_word(self) -> Literal["learn", "restore", "none", "constrain"]:
        """How a sentence's first word gets its case.

        ``learn``: by weights. ``restore``: it is capitalised if it came out lowercase. ``none``: as
        any other word. ``constrain``: its lowercase form is not a candidate.
        """
        if self.dense is not None or self.network is not None:
            return "learn"
        if self.lexicon.smartcase or self.lm is None:
            return "restore"
        # Agbago et al. (2005), 1: no rule about first words, for it may hurt BLEU.
        return "none" if self.portage is not None else "constrain"

    def __repr__(self) -> str:
        held = self.components()
        n_bytes = sum(part.n_bytes for part in held.values())
        language = f", language {self.text.language}" if self.text.language else ""
        return f"<Model: {' + '.join(held)}, {n_bytes:,} bytes{language}>"

    def replace(self, **components: object) -> Model:
        """Return the model with other components, or without those that are None.

        The calibration fits the old scores: if these change, it is dropped unless given.

        Raises
        ------
        ModelError
            There is no such component, or components contradict each other.
        WrongTypeError
            A component has another type.
        """
        scores = {name: getattr(self, name) for name in _SCORES}
        unknown = [name for name in components if name not in self.FIELDS]
        if unknown:
            raise ModelError(
                f"a model has no component {unknown[0]}: expected one of {', '.join(self.FIELDS)}"
            )
        if any(components.get(name, old) is not old for name, old in scores.items()):
            components.setdefault("calibration", None)
        if components.get("calibration", self) is None:
            kept = {name: note for name, note in self.notes.items() if name != "calibrated"}
            components.setdefault("notes", kept)
        return self._with(**components)

    def with_notes(self, **notes: object) -> Model:
        """Return the model with additional notes."""
        return self._with(notes={**self.notes, **notes})

    def _with(self, **components: object) -> Model:
        return Model(**{**self.fields(), **components}).with_origin(self.origin)

    def with_origin(self, origin: Origin | None) -> Model:
        """Record the file this model came from.

        Call it only on a new model; models are immutable otherwise.
        """
        self._set(origin=origin)
        return self

    def only(self, decode_with: DecodeWith) -> Model:
        """Return a model that decodes with a part of this one.

        Parameters
        ----------
        decode_with : {"whole", "ngram", "unigram"}
            ``whole``: no word is settled by its neighbours (`Network.unsettled`). ``ngram``: the
            n-grams alone, with weight 1. ``unigram``: each word's most frequent form. Only
            ``whole`` keeps the calibration.

        Raises
        ------
        TruecaseError
            `decode_with` is unknown.
        ModelError
            The model has no n-grams.
        """
        check_arguments(Model.only, {"decode_with": decode_with})
        if decode_with == "whole":
            return self if self.network is None else self._with(network=self.network.unsettled())
        if decode_with == "ngram" and self.lm is None:
            raise ModelError("a unigram model has no n-grams to decode with")
        kept: dict[str, object] = {**dict.fromkeys(COMPONENTS)}
        kept |= {name: getattr(self, name) for name in _BESIDE_FORMS}
        if decode_with == "ngram":
            kept["lm"] = self.lm
        return self._with(**kept)

    def info(self) -> dict[str, Any]:
        """Summarise the model, component by component, with its notes."""
        return {
            "text": self.text.fields(),
            **{name: component.info() for name, component in self.components().items()},
            "notes": self.notes,
        }

    @classmethod
    def of_arrays(cls, arrays: Buffers, metadata: Mapping[str, Any]) -> Model:
        """Make a model of the arrays and metadata of a model file.

        Raises
        ------
        ModelError
            They do not make a model, or break an invariant.
        """
        if "lexicon" not in metadata["sections"]:
            raise ModelError("the section lexicon is missing")
        text, parts, notes = parts_of(arrays, metadata)
        made: dict[str, Any] = {
            name: class_of(name)(arrays, settings) for name, (arrays, settings) in parts.items()
        }
        return cls(TextSettings(**text), **made, notes=notes)  # type: ignore[arg-type]

    def to_arrays(self) -> tuple[Arrays, dict[str, Any]]:
        """Return the arrays and metadata for a model file."""
        return flatten(self.text.fields(), self.components(), self.notes)

    @classmethod
    def load(
        cls, path: StrPath | None = None, *, verify: bool = False, copy: bool | None = None
    ) -> Model:
        """Load a model: a file is read, a packaged model is mapped.

        A file that was read may change later. A mapped file must not be written to: replace it by
        renaming, as `save` does. If it is cut short, the process dies (SIGBUS); if it is rewritten,
        the output is nonsense.

        Parameters
        ----------
        path : path-like, optional
            A file, or the name of an embedded model: ``en``, the default, or ``fr-en``, for English
            translated from French.
        verify : bool
            Also compare the checksum; the file is then read, as a mapped one might change later.
        copy : bool, optional
            True reads the file; False maps it, so that processes share the memory. By default,
            models given by name are mapped unless `verify` is set, and files are read.

        Raises
        ------
        WrongTypeError
            `path` is not a path.
        ModelError
            The file is not a model, is damaged, or has a newer format.
        OSError
            The file cannot be read.
        """
        file = model_file(path)
        check_arguments(cls.load, {"verify": verify, "copy": copy})
        if copy is None:
            # Installing a package replaces files, it does not rewrite them.
            copy = verify or file is path
        log("debug", __name__, f"{'reading' if copy else 'mapping'} {os.fspath(file)}")
        arrays, metadata = read_model(file, verify, copy)
        with named(os.fspath(file)):
            model = cls.of_arrays(arrays, metadata)
        found = identity(metadata)
        if found is None:
            return model
        embedded = os.fspath(path or EMBEDDED[0]) if is_embedded(path) else None
        return model.with_origin(
            Origin(
                embedded=embedded,
                # Another process may run in another folder.
                path=None if embedded else os.path.abspath(file),
                identity=found,
                components=model.components(),
                settings=(model.text, model.notes),
                is_mapped=not copy,
            )
        )

    def __copy__(self, memo: object = None) -> Model:
        # Models are immutable.
        return self

    __deepcopy__ = __copy__

    def __reduce__(self) -> tuple[object, ...]:
        # Few processes pickle models, and what pickling needs takes milliseconds to load.
        from truecase.model.pickling import packed, unpacked

        return unpacked, (packed(self),)

    def save(self, path: StrPath) -> None:
        """Write the model atomically.

        A process that has mapped the old file keeps seeing the old contents.

        Raises
        ------
        WrongTypeError
            `path` is not a path.
        OSError
            The file cannot be written, or its name promises compressed data.
        """
        check_type("path", path, (str, os.PathLike), "a path")
        write_model(path, *self.to_arrays())
