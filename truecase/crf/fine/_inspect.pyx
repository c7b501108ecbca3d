"""What fine features see in a line and what they add to its lattice, for tests and tools."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE,
    TEXT_PADDING,
    CompiledModel,
    Workspace,
    build_lattice,
    free_workspace,
)
from truecase._status cimport STATUS_INVALID, STATUS_OK
from truecase.bilingual._aligned cimport AlignedBlock
from truecase.bilingual._fields cimport view_source
from truecase.bilingual._side cimport describe_tokens, next_source_line, start_block
from truecase.crf.fine._templates cimport (
    MAX_TEMPLATES,
    N_FIELDS,
    N_NEIGHBOURS,
    fill_fields,
    hash_templates,
    is_rare,
    view_sentence,
)
from truecase.crf.fine._weights cimport add_fine_scores, has_choice
from truecase.text._segment cimport segment_line

__all__ = ["look_at"]


def look_at(CompiledModel model not None, bytes line not None, source=None, phrases=None):
    """Fields, features and fine scores of the words of one sentence.

    Parameters
    ----------
    model : CompiledModel
        Of the preset crf-fine.
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
        numbers, and the ``scores`` that fine features add to these.
    """
    cdef Workspace work
    cdef bytes padded = line + b"\n" * TEXT_PADDING
    cdef uint64_t fields[N_FIELDS]
    cdef uint64_t hashes[MAX_TEMPLATES]
    cdef int32_t first_cased, i, j, n, n_hashes
    cdef int status
    cdef AlignedBlock aligned
    if not model.model.fine.present:
        raise ValueError("the model has no fine features")
    words = []
    memset(&work, 0, sizeof(Workspace))
    try:
        status = segment_line(padded, 0, <int32_t>len(line), model.model.segmentation,
                              model.model.turkic, &work.tokens)
        n = work.tokens.n
        if source is not None and status == STATUS_OK:
            aligned = AlignedBlock(line, source, phrases)
            start_block(&work.side, &aligned.aligned, model.model.source.turkic)
            status = next_source_line(&work.side, model.model.segmentation)
            if status == STATUS_OK:
                status = describe_tokens(&work.side, padded, 0, <uint32_t>len(line),
                                         model.model.segmentation, &work.tokens, True)
            if status == STATUS_INVALID:
                raise ValueError("the line has not as many words as are aligned")
        if status == STATUS_OK:
            status = build_lattice(&model.model, padded, 0, n, INPUT_IGNORE, True, &work,
                                   &first_cased)
        if status == STATUS_OK:
            status = view_sentence(&model.model.fine.templates, work.tokens.tokens, n,
                                   &work.lattice, &work.view)
        if status != STATUS_OK:
            raise MemoryError("no memory for a sentence")
        if work.side.aligned != NULL:
            view_source(&work.side, padded, work.tokens.tokens, 0, n, &work.view)
        for i in range(n):
            word = {"prior": work.view.words[N_NEIGHBOURS + i].prior, "first": i == first_cased}
            words.append(word)
            if not has_choice(&work.lattice, i):
                continue
            fill_fields(&work.view, padded, work.tokens.tokens, i, i == first_cased,
                        model.model.turkic, fields)
            n_hashes = hash_templates(&model.model.fine.templates, is_rare(word["prior"]), fields,
                                      hashes)
            word["fields"] = [fields[j] for j in range(N_FIELDS)]
            word["hashes"] = [hashes[j] for j in range(n_hashes)]
            word["tags"] = []
            for j in range(work.lattice.first_node[i], work.lattice.first_node[i + 1]):
                word["tags"].append(work.lattice.nodes[j].tag)
                work.lattice.nodes[j].score = 0.0
        if add_fine_scores(&model.model.fine, padded, work.tokens.tokens, 0, n, first_cased,
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
