"""What models see of the source beside one line, for tests and tools."""

from typing import NamedTuple

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE,
    CompiledModel,
    Walk,
    Workspace,
    begin_walk,
    free_workspace,
    next_piece,
    next_sentence,
)
from truecase.features._source cimport (
    N_SOURCE_COLUMNS,
    SourceContext,
    add_source_scores,
    describe_source,
    source_columns,
)
from truecase.lattice._lattice cimport NODE_CLASS, NODE_SOURCE, Node
from truecase.runtime._status cimport STATUS_OK
from truecase.source._block cimport AlignedBlock
from truecase.source._phrase cimport (
    SentenceCase,
    SourcePhrase,
)

from truecase.features.schema import SOURCE_COLUMNS
from truecase.text.casing import TAGS

__all__ = ["SeenCandidate", "SeenPhrase", "SeenSentence", "SeenWord", "look_at"]



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
    cdef Walk walk
    cdef Workspace work
    cdef SourceContext at
    cdef const uint8_t* text
    cdef bytes block = line + b"\n"
    cdef AlignedBlock aligned = AlignedBlock(block, source + b"\n", phrases)
    cdef float value[N_SOURCE_COLUMNS]
    cdef Node* node
    cdef int32_t i, j, k, n
    if not compiled.model.source.is_active:
        raise ValueError("the model does not look at the source")
    memset(&work, 0, sizeof(Workspace))
    try:
        begin_walk(&walk, &compiled.model, block, len(block), &aligned.aligned, INPUT_IGNORE, &work)
        walk.is_one_sentence = True
        if not next_piece(&walk, &work) or not next_sentence(&walk, &work):
            if walk.status != STATUS_OK:
                raise ValueError("the line has not as many words as are aligned, or is too long")
            return _sentence(&work.side.sentence), []
        n = walk.last
        text = walk.text
        words = []
        for i in range(n):
            describe_source(&compiled.model.source, &work.side, text, work.tokens.tokens, n, i,
                            i == walk.initial, &at)
            candidates = []
            for j in range(work.lattice.first_node[i], work.lattice.first_node[i + 1]):
                node = work.lattice.nodes + j
                source_columns(&at, node, value)
                candidates.append(SeenCandidate(
                    TAGS[node.tag], TAGS[node.state], node.upper_mask,
                    bool(node.flags & NODE_SOURCE), not node.flags & NODE_CLASS,
                    {SOURCE_COLUMNS[k]: value[k] for k in range(N_SOURCE_COLUMNS)}, 0.0,
                ))
                node.score = 0.0
            words.append(SeenWord(_phrase(work.side.phrase + i), i == walk.initial, candidates))
        add_source_scores(&compiled.model.source, &work.side, &work.lattice, text,
                          work.tokens.tokens, n, 0, walk.initial)
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
    return SeenSentence(TAGS[sentence.first_tag], bool(sentence.all_upper),
                        sentence.upper_share, sentence.first_token)


cdef object _phrase(const SourcePhrase* phrase):
    return SeenPhrase(
        _tag_set(phrase.tags), _tag_set(phrase.inner_tags), TAGS[phrase.main_tag],
        bool(phrase.is_aligned), bool(phrase.starts_upper), bool(phrase.all_upper),
        tuple([(TAGS[phrase.same_tag[i]], phrase.same_mask[i]) for i in range(phrase.n_same)]),
        bool(phrase.same_is_first), phrase.main_key,
    )


cdef object _tag_set(int tags):
    return frozenset([tag for i, tag in enumerate(TAGS) if tags >> i & 1])
