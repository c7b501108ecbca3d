"""What models see of the source beside one line, for tests and tools."""

from typing import NamedTuple

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE,
    TEXT_PADDING,
    CompiledModel,
    Workspace,
    build_lattice,
    free_workspace,
)
from truecase._status cimport STATUS_OK
from truecase.bilingual._aligned cimport AlignedBlock
from truecase.bilingual._features cimport (
    N_SOURCE_COLUMNS,
    SourceContext,
    add_source_scores,
    describe_source,
    look_up_line,
    source_columns,
)
from truecase.bilingual._side cimport (
    SentenceCase,
    SourcePhrase,
    describe_tokens,
    next_source_line,
    start_block,
)
from truecase.lattice._lattice cimport NODE_CLASS, NODE_SOURCE, Node
from truecase.text._segment cimport segment_line

from truecase.crf.features import SOURCE_COLUMNS

__all__ = ["SeenCandidate", "SeenPhrase", "SeenSentence", "SeenWord", "look_at"]

_TAGS = ("AL", "IU", "AU", "MX", "AN")


class SeenSentence(NamedTuple):
    """``SentenceCase`` of `_side.pxd`."""

    first_tag: str
    all_upper: bool
    upper_share: int
    first_token: int


class SeenPhrase(NamedTuple):
    """``SourcePhrase`` of `_side.pxd`."""

    tags: frozenset
    inner_tags: frozenset
    main_tag: str
    is_aligned: bool
    starts_upper: bool
    all_upper: bool
    same: tuple                  # (tag, upper mask) of each form of the same word
    same_is_first: bool
    main_key: int


class SeenCandidate(NamedTuple):
    tag: str
    state: str
    upper_mask: int
    is_of_source: bool           # proposed by the source alone
    is_in_lexicon: bool
    columns: dict                # value by name
    score: float                 # that the columns add


class SeenWord(NamedTuple):
    phrase: SeenPhrase
    is_initial: bool
    candidates: list


def look_at(CompiledModel compiled not None, bytes line not None, bytes source not None,
            phrases=None):
    """Phrases, candidates and source columns of the words of one sentence.

    Parameters
    ----------
    compiled : CompiledModel
        Of a preset that looks at the source.
    line, source : bytes
        Each without its line end; `line` is taken for one sentence.
    phrases : Phrases, optional
        Of the one line.

    Returns
    -------
    sentence : SeenSentence
    words : list of SeenWord
        One for each token. Columns of words without a choice are computed, too, but not scored.

    Raises
    ------
    ValueError
        The model does not look at the source, or the line has not as many words as `phrases`.
    """
    cdef Workspace work
    cdef SourceContext at
    cdef bytes padded = line + b"\n" * TEXT_PADDING
    cdef const uint8_t* text = padded
    cdef AlignedBlock aligned = AlignedBlock(line + b"\n", source + b"\n", phrases)
    cdef float value[N_SOURCE_COLUMNS]
    cdef Node* node
    cdef int32_t first_cased, i, j, k, n = 0
    cdef int status
    if not compiled.model.source.is_active:
        raise ValueError("the model does not look at the source")
    memset(&work, 0, sizeof(Workspace))
    try:
        start_block(&work.side, &aligned.aligned, compiled.model.source.turkic)
        status = segment_line(text, 0, <uint32_t>len(line), compiled.model.segmentation,
                              compiled.model.turkic, &work.tokens)
        n = work.tokens.n
        if status == STATUS_OK:
            status = next_source_line(&work.side, compiled.model.segmentation)
        if status == STATUS_OK:
            look_up_line(&compiled.model.source, &work.side)
            status = describe_tokens(&work.side, text, 0, <uint32_t>len(line),
                                     compiled.model.segmentation, &work.tokens, True)
        if status == STATUS_OK:
            status = build_lattice(&compiled.model, text, 0, n, INPUT_IGNORE, True, &work,
                                   &first_cased)
        if status != STATUS_OK:
            raise ValueError("the line has not as many words as are aligned, or is too long")
        words = []
        for i in range(n):
            describe_source(&compiled.model.source, &work.side, text, work.tokens.tokens, n, i,
                            i == first_cased, &at)
            candidates = []
            for j in range(work.lattice.first_node[i], work.lattice.first_node[i + 1]):
                node = work.lattice.nodes + j
                source_columns(&at, node, value)
                candidates.append(SeenCandidate(
                    _TAGS[node.tag], _TAGS[node.state], node.upper_mask,
                    bool(node.flags & NODE_SOURCE), not node.flags & NODE_CLASS,
                    {SOURCE_COLUMNS[k]: value[k] for k in range(N_SOURCE_COLUMNS)}, 0.0,
                ))
                node.score = 0.0
            words.append(SeenWord(_phrase(work.side.phrase + i), i == first_cased, candidates))
        add_source_scores(&compiled.model.source, &work.side, &work.lattice, text,
                          work.tokens.tokens, n, 0, first_cased)
        for i, word in enumerate(words):
            j = work.lattice.first_node[i]
            word.candidates[:] = [
                candidate._replace(score=work.lattice.nodes[j + k].score)
                for k, candidate in enumerate(word.candidates)
            ]
        return _sentence(&work.side.sentence), words
    finally:
        free_workspace(&work)


cdef object _sentence(const SentenceCase* sentence):
    return SeenSentence(_TAGS[sentence.first_tag], bool(sentence.all_upper),
                        sentence.upper_share, sentence.first_token)


cdef object _phrase(const SourcePhrase* phrase):
    return SeenPhrase(
        _tag_set(phrase.tags), _tag_set(phrase.inner_tags), _TAGS[phrase.main_tag],
        bool(phrase.is_aligned), bool(phrase.starts_upper), bool(phrase.all_upper),
        tuple([(_TAGS[phrase.same_tag[i]], phrase.same_mask[i]) for i in range(phrase.n_same)]),
        bool(phrase.same_is_first), phrase.main_key,
    )


cdef object _tag_set(int tags):
    return frozenset([tag for i, tag in enumerate(_TAGS) if tags >> i & 1])
