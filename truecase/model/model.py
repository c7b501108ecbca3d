"""`Model`: what a truecaser knows, in components that are there or not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from truecase.context._context import ContextLayer
from truecase.data import is_embedded, model_file
from truecase.decode._calibration import Calibration
from truecase.decode._domain import Domain
from truecase.errors import ModelError, WrongTypeError
from truecase.features._added_features import AddedFeatures
from truecase.features._dense_features import DenseFeatures
from truecase.features._source_features import SourceFeatures
from truecase.features._sparse_features import SparseFeatures
from truecase.lexicon._model_lexicon import Lexicon
from truecase.marks._marks import Marks
from truecase.model.origin import Origin, origin_of
from truecase.model.text_settings import TextSettings
from truecase.modelfile._component import Component
from truecase.modelfile.read import read_model
from truecase.names._name_list import NameList
from truecase.ngram._language_model import LanguageModel
from truecase.ngram.kept_words import KeptWords
from truecase.options import DecodeWith
from truecase.portage._case_models import CaseModels
from truecase.runtime.log import log
from truecase.runtime.record import Record
from truecase.source._translation_table import TranslationTables
from truecase.styles.title_weights import TitleWeights

if TYPE_CHECKING:
    from truecase.modelfile.layout import Buffers
    from truecase.modelfile.write import Arrays

#: What each component is.
COMPONENTS: dict[str, type[Component]] = {
    "lexicon": Lexicon,
    "lm": LanguageModel,
    "dense": DenseFeatures,
    "sparse": SparseFeatures,
    "source": SourceFeatures,
    "tables": TranslationTables,
    "portage": CaseModels,
    "domain": Domain,
    "sparse_domain": AddedFeatures,
    "titles": TitleWeights,
    "words": KeptWords,
    "names": NameList,
    "context": ContextLayer,
    "marks": Marks,
    "calibration": Calibration,
}

_NO_NOTES: dict[str, Any] = {}

# What gives words their scores, and so what a context layer was learned of; with it, what a
# calibration was.
_SCORES = ("text", "lexicon", "lm", "dense", "sparse", "portage", "domain", "sparse_domain")

_NOT_BESIDE_PORTAGE = ("dense", "sparse", "source", "tables", "domain", "sparse_domain")


class Model(Record):
    """What a truecaser knows. What it can do follows from what it holds.

    Attributes
    ----------
    text : TextSettings
    lexicon : Lexicon
    lm : LanguageModel or None
        None: each word gets its most frequent form.
    dense, sparse : DenseFeatures, SparseFeatures or None
        Learned weights.
    source : SourceFeatures or None
        None: a source is looked at with weights that suit any pair of languages.
    tables : TranslationTables or None
    portage : CaseModels or None
    domain : Domain or None
        A second language model.
    sparse_domain : AddedFeatures or None
        What a domain adds to the weights of `sparse`.
    titles : TitleWeights or None
    words : KeptWords or None
        For ARPA and mapping files.
    names : NameList or None
        Names that are right whatever the rest of the model says.
    context : ContextLayer or None
        What the sentence says of words that are in doubt.
    marks : Marks or None
        What puts commas, full stops and question marks into text that has none.
    calibration : Calibration or None
        How often words come out right that the model gives a probability. None: probabilities are
        told as the model's scores have them.
    notes : dict
        Recipe, corpus, licence, figures: what is told of the model, and nothing depends on.

    Raises
    ------
    WrongTypeError
        If a component is of another type.
    ModelError
        If components do not go together: arrays by form are those of another lexicon, a domain's
        n-grams are of another order, weights are added to none, or models of case stand beside
        features or a domain.
    """

    text: TextSettings
    lexicon: Lexicon
    lm: LanguageModel | None
    dense: DenseFeatures | None
    sparse: SparseFeatures | None
    source: SourceFeatures | None
    tables: TranslationTables | None
    portage: CaseModels | None
    domain: Domain | None
    sparse_domain: AddedFeatures | None
    titles: TitleWeights | None
    words: KeptWords | None
    names: NameList | None
    context: ContextLayer | None
    marks: Marks | None
    calibration: Calibration | None
    notes: dict[str, Any]
    #: Of which file its components are, or were before some of them were replaced.
    origin: Origin | None

    FIELDS = ("text", *COMPONENTS, "notes")

    def __init__(
        self,
        text: TextSettings,
        lexicon: Lexicon,
        lm: LanguageModel | None = None,
        dense: DenseFeatures | None = None,
        sparse: SparseFeatures | None = None,
        source: SourceFeatures | None = None,
        tables: TranslationTables | None = None,
        portage: CaseModels | None = None,
        domain: Domain | None = None,
        sparse_domain: AddedFeatures | None = None,
        titles: TitleWeights | None = None,
        words: KeptWords | None = None,
        names: NameList | None = None,
        context: ContextLayer | None = None,
        marks: Marks | None = None,
        calibration: Calibration | None = None,
        notes: dict[str, Any] = _NO_NOTES,
    ) -> None:
        self._set(
            text=text,
            lexicon=lexicon,
            lm=lm,
            dense=dense,
            sparse=sparse,
            source=source,
            tables=tables,
            portage=portage,
            domain=domain,
            sparse_domain=sparse_domain,
            titles=titles,
            words=words,
            names=names,
            context=context,
            marks=marks,
            calibration=calibration,
            notes={} if notes is _NO_NOTES else notes,
            origin=None,
        )
        self._check_types()
        for name in ("dense", "sparse", "portage"):
            part = getattr(self, name)
            n = None if part is None else part.n_records
            if n is not None and n != self.lexicon.n_records:
                raise ModelError(
                    f"the arrays of {name} tell of {n} forms, and the lexicon has "
                    f"{self.lexicon.n_records}"
                )
        if self.portage is not None:
            # Φ belongs to the forms of the one lexicon, and Ω has no place for other scores.
            beside = [name for name in _NOT_BESIDE_PORTAGE if getattr(self, name) is not None]
            if beside:
                raise ModelError(
                    f"portage goes with n-grams alone, and the model also has {', '.join(beside)}: "
                    "leave out one or the other"
                )
        if self.sparse_domain is not None and self.sparse is None:
            raise ModelError("sparse_domain adds to sparse features, and the model has none")
        if self.context is not None and self.sparse is None:
            raise ModelError(
                "a context layer stands beside sparse features, and the model has none"
            )
        if self.domain is not None and self.domain.lm.order != self.order:
            raise ModelError(
                f"the n-grams of the domain are of order {self.domain.lm.order}, and the model's "
                f"of order {self.order}"
            )

    def _check_types(self) -> None:
        kinds: dict[str, type[Any]] = {"text": TextSettings, **COMPONENTS, "notes": dict}
        for name, kind in kinds.items():
            part = getattr(self, name)
            is_optional = name not in ("text", "lexicon", "notes")
            if not (isinstance(part, kind) or (part is None and is_optional)):
                expected = f"{kind.__name__} or None" if is_optional else kind.__name__
                raise WrongTypeError(f"{name}: expected {expected}, found {type(part).__name__}")

    def components(self) -> dict[str, Component]:
        """Those that are there, by name."""
        return {
            name: value for name, value in self.fields().items() if isinstance(value, Component)
        }

    def about(self) -> dict[str, Any]:
        """What tables and pages say of it: preset, order, segmentation, language, tokens."""
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
        """The name of the preset whose components it has; nothing depends on it."""
        if self.lm is None:
            return "unigram"
        if self.portage is not None:
            return "portage"
        if self.sparse is not None:
            return "bilingual-sparse" if self.sparse.reads_source else "crf-sparse"
        if self.dense is not None:
            # One and the same to who cases with it; it may have been meant for lines with a source.
            training = self.notes.get("training")
            recipe = training.get("preset") if isinstance(training, dict) else None
            return "bilingual" if recipe == "bilingual" else "crf"
        return "ngram"

    @property
    def order(self) -> int:
        """Of the language model; 1 without one."""
        return 1 if self.lm is None else self.lm.order

    @property
    def takes_source(self) -> bool:
        """Whether it looks at the source of a translation.

        What is most frequent, and Portage's scoring function, have no place for one.
        """
        return self.lm is not None and self.portage is None

    @property
    def first_word(self) -> Literal["learn", "restore", "none", "constrain"]:
        """What becomes of a sentence's first word with a letter.

        Weights decide; it is capitalised if it came out lowercase; nothing; or its lowercase
        form is no candidate.
        """
        if self.dense is not None or self.sparse is not None:
            return "learn"
        if self.lexicon.smartcase or self.lm is None:
            return "restore"
        # Agbago et al. (2005), 1: no rule about first words, for it may hurt BLEU.
        return "none" if self.portage is not None else "constrain"

    def __repr__(self) -> str:
        parts = {name: getattr(self, name) for name in COMPONENTS}
        held = [name for name, part in parts.items() if part is not None]
        n_bytes = sum(parts[name].n_bytes for name in held)
        language = f", language {self.text.language}" if self.text.language else ""
        return f"<Model: {' + '.join(held)}, {n_bytes:,} bytes{language}>"

    def replace(self, **components: object) -> Model:
        """The same model with other components, or, where None is given, without them.

        With other scores, the context layer and the calibration of the former ones would be wrong:
        unless others are given, the model has none.

        Raises
        ------
        ModelError
            If a model has no such component, or they do not go together.
        WrongTypeError
            If one is of another type.
        """
        unknown = [name for name in components if name not in self.FIELDS]
        if unknown:
            raise ModelError(
                f"a model has no component {unknown[0]}: expected one of {', '.join(self.FIELDS)}"
            )
        if any(components.get(name, part) is not part for name, part in self._scores().items()):
            components.setdefault("context", None)
        if components.get("context", self.context) is not self.context or any(
            components.get(name, part) is not part for name, part in self._scores().items()
        ):
            components.setdefault("calibration", None)
        return self._with(**components)

    def _scores(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in _SCORES}

    def with_notes(self, **notes: object) -> Model:
        """The same model, more told of it."""
        return self._with(notes={**self.notes, **notes})

    def _with(self, **components: object) -> Model:
        return Model(**{**self.fields(), **components}).with_origin(self.origin)

    def with_origin(self, origin: Origin | None) -> Model:
        """The model itself, which becomes one of a file; only for who has just made it."""
        self._set(origin=origin)
        return self

    def only(self, what: DecodeWith) -> Model:
        """What of it decodes.

        Parameters
        ----------
        what : {"whole", "words", "ngram", "unigram"}
            All its features for every word, without the cascade that leaves out those of words
            that are decided before (`SparseFeatures.has_cascade`); all but the layer that reads the
            whole sentence of words in doubt (`truecase train refine`); its n-grams alone, with
            weight 1; or each word's most frequent form. But for the first, it then has no
            calibration.

        Raises
        ------
        ValueError
            If `what` is none of them.
        ModelError
            If it has no n-grams.
        """
        if what not in get_args(DecodeWith):
            raise ValueError(f"{what!r}: expected one of {', '.join(get_args(DecodeWith))}")
        if what == "whole":
            if self.sparse is None or not self.sparse.has_cascade:
                return self
            return self._with(sparse=self.sparse.without_cascade())
        if what == "words":
            return self if self.context is None else self.replace(context=None)
        if what == "ngram" and self.lm is None:
            raise ModelError("a unigram model has no n-grams to decode with")
        return Model(
            text=self.text,
            lexicon=self.lexicon,
            lm=self.lm if what == "ngram" else None,
            titles=self.titles,
            words=self.words,
            names=self.names,
            notes=self.notes,
        ).with_origin(self.origin)

    def info(self) -> dict[str, Any]:
        """What it is, component by component, and what is told of it."""
        return {
            "text": self.text.fields(),
            **{name: component.info() for name, component in self.components().items()},
            "notes": self.notes,
        }

    @classmethod
    def of_arrays(cls, arrays: Buffers, metadata: Mapping[str, Any]) -> Model:
        """A model of the arrays and the metadata of a model file, of any format.

        Raises
        ------
        ModelError
            If they are not those of a model, or something in them breaks an invariant.
        """
        if metadata["format"] == 1:
            from truecase.model.format1 import regroup
        else:
            from truecase.model.sections import regroup
        text, parts, notes = regroup(arrays, metadata)
        made: dict[str, Any] = {
            name: COMPONENTS[name](arrays, settings) for name, (arrays, settings) in parts.items()
        }
        return cls(TextSettings(**text), **made, notes=notes)  # type: ignore[arg-type]

    def to_arrays(self) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and metadata of its model file."""
        from truecase.model.sections import flatten

        settings = {name: part.settings for name, part in self.components().items()}
        arrays = {name: part.arrays for name, part in self.components().items()}
        return flatten(self.text.fields(), arrays, settings, self.notes)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        verify: bool = False,
        copy: bool | None = None,
    ) -> Model:
        """Load a model: a file is read, one that a package brings is mapped.

        What happens to a file that was read changes nothing. One that is mapped must not be written
        to: another model is put in its place by renaming, as `save` does it. Of one that is cut
        short the process dies (SIGBUS), of one that is rewritten it makes nonsense.

        Parameters
        ----------
        path : path-like, optional
            A file, or the name of an embedded model: ``en``, the default, or ``fr-en``, for
            English that was translated from French.
        verify : bool
            Also compare the file's checksum, of what is read; a mapped file might change later.
        copy : bool, optional
            Read the whole file, or, if false, map it: nothing of it is read before it is needed,
            and processes share its memory. By default models that are given by name are mapped,
            unless they are to be verified, and files are read.

        Raises
        ------
        WrongTypeError
            If the path is none.
        ModelError
            If the file is no model, damaged, or of a newer format.
        OSError
            If it cannot be read.
        """
        file = model_file(path)
        if copy is None:
            # Who installs a package puts new files in the place of the old ones.
            copy = verify or file is path
        log("debug", __name__, f"{'reading' if copy else 'mapping'} {os.fspath(file)}")
        arrays, metadata = read_model(file, verify, copy)
        try:
            model = cls.of_arrays(arrays, metadata)
        except ModelError as error:
            raise ModelError(f"{os.fspath(file)}: {error}") from None
        return model.with_origin(
            origin_of(
                path if is_embedded(path) else file,
                model.components(),
                (model.text, model.notes),
                metadata,
                is_mapped=not copy,
            )
        )

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: object) -> Model:
        # Nothing in it can change.
        return self

    def __reduce__(self) -> tuple[object, ...]:
        from truecase.model.travel import packed, unpacked

        return unpacked, (packed(self),)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, whole or not at all; who has mapped a file of that name keeps it.

        Raises
        ------
        WrongTypeError
            If the path is none.
        OSError
            If the file cannot be written.
        """
        from truecase.modelfile.write import write_model

        if not isinstance(path, (str, os.PathLike)):
            raise WrongTypeError(f"path: expected a path, found {type(path).__name__}")
        write_model(path, *self.to_arrays())
