"""What sparse features see in a line and what they add to its lattice, for tests and tools."""

from libc.stdint cimport int32_t, uint64_t
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
from truecase.features._fields cimport (
    MAX_TEMPLATES,
    N_FIELDS,
    N_NEIGHBOURS,
    fill_fields,
    hash_templates,
    is_rare,
    view_sentence,
)
from truecase.features._source_fields cimport view_source
from truecase.features._sparse cimport add_sparse_scores, has_choice
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK
from truecase.source._block cimport AlignedBlock
from truecase.source._phrase cimport AlignedText

__all__ = ["look_at"]


def look_at(CompiledModel model not None, bytes line not None, source=None, phrases=None):
    """Fields, features and sparse scores of the words of one sentence.

    Parameters
    ----------
    model : CompiledModel
        Of the preset crf-sparse.
    line : bytes
        Taken for one sentence, whatever marks it holds.
    source : bytes, optional
        The line that it is a translation of.
    phrases : Phrases, optional
        As for `CompiledModel.case_block`.

    Returns
    -------
    list of dict
        For each token ``prior``, the code of its usual case, and ``first``; for one that has
        a choice also ``fields`` and ``hashes``, lists of int, ``tags`` of its candidates, as
        numbers, and the ``scores`` that sparse features add to these.
    """
    cdef Walk walk
    cdef Workspace work
    cdef uint64_t fields[N_FIELDS]
    cdef uint64_t hashes[MAX_TEMPLATES]
    cdef int32_t i, j, n, n_hashes
    cdef AlignedBlock aligned
    cdef const AlignedText* source_text = NULL
    if not model.model.sparse.present:
        raise ValueError("the model has no sparse features")
    if source is not None:
        aligned = AlignedBlock(line, source, phrases)
        source_text = &aligned.aligned
    words = []
    memset(&work, 0, sizeof(Workspace))
    try:
        begin_walk(&walk, &model.model, line, len(line), source_text, INPUT_IGNORE, &work)
        walk.is_one_sentence = True
        if not next_piece(&walk, &work) or not next_sentence(&walk, &work):
            if walk.status == STATUS_INVALID:
                raise ValueError("the line has not as many words as are aligned")
            return words
        n = walk.last
        if view_sentence(&model.model.sparse.templates, work.tokens.tokens, n, &work.lattice,
                         &work.view) != STATUS_OK:
            raise MemoryError("no memory for a sentence")
        if work.side.aligned != NULL:
            view_source(&work.side, walk.text, work.tokens.tokens, 0, n, &work.view)
        for i in range(n):
            word = {"prior": work.view.words[N_NEIGHBOURS + i].prior, "first": i == walk.initial}
            words.append(word)
            if not has_choice(&work.lattice, i):
                continue
            fill_fields(&work.view, walk.text, work.tokens.tokens, i, i == walk.initial,
                        model.model.turkic, fields)
            n_hashes = hash_templates(&model.model.sparse.templates, is_rare(word["prior"]), fields,
                                      hashes)
            word["fields"] = [fields[j] for j in range(N_FIELDS)]
            word["hashes"] = [hashes[j] for j in range(n_hashes)]
            word["tags"] = []
            for j in range(work.lattice.first_node[i], work.lattice.first_node[i + 1]):
                word["tags"].append(work.lattice.nodes[j].tag)
                work.lattice.nodes[j].score = 0.0
        if add_sparse_scores(&model.model.sparse, walk.text, work.tokens.tokens, 0, n, walk.initial,
                           model.model.turkic, &work.side, &work.lattice,
                           &work.view) != STATUS_OK:
            raise MemoryError("no memory for a sentence")
        for i, word in enumerate(words):
            if "tags" in word:
                word["scores"] = [
                    work.lattice.nodes[j].score for j in range(
                        work.lattice.first_node[i], work.lattice.first_node[i + 1])
                ]
        return words
    finally:
        free_workspace(&work)
