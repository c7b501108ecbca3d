"""Fields, template hashes and scores against plain Python."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from parts import arrays_of, compiled, metadata_of
from reference import sparse
from small_model import training_text
from truecase_testing import find, hash_of, look_at_sparse, segment

from truecase.errors import TemplateError
from truecase.kernels.templates import ALWAYS, FIELDS, HIDDEN, RARE, encode_templates
from truecase.ngram.lexicon import build_lexicon, describe_vocabulary
from truecase.training.evidence import prior_codes
from truecase.training.sparse import (
    TABLES,
    Sparse,
    SparseWeights,
    component,
    pack_sparse,
    select_features,
)
from truecase.truecaser import Truecaser

WORDS = training_text(60, seed=9).split()
WORDS += 'krzt Zq-Xv 3dtv ( ) " " , . ! … don’t ΟΔΟΣ łódź İx ﬁn 1984 u.s. xx-yy-zz @ US'.split()
WORDS += ["``", "''", "“", "”", '"he', 'he"', "max_size"]
lines = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
TAG_IU, TAG_MX = 1, 3


@examples(60)
@given(line=lines)
def test_fields_and_hashes(unlearned, line):
    seen = look_at_sparse(compiled(unlearned), line.encode())
    tokens = segment(line.encode())
    priors = [word["prior"] for word in seen]
    assert len(tokens) == len(seen)
    for i, word in enumerate(seen):
        if "fields" not in word:
            continue
        fields = sparse.fields_of(tokens, priors, i, word["first"], hash_of)
        assert dict(zip(FIELDS, word["fields"][1:], strict=True)) == fields
        names = (*ALWAYS, *RARE) if sparse.is_rare(priors[i]) else ALWAYS
        assert word["hashes"] == [sparse.feature(k, name, fields) for k, name in enumerate(names)]


def test_case_of_the_input_changes_no_feature(unlearned):
    line = training_text(20, seed=4).replace("\n", " ")
    seen = look_at_sparse(compiled(unlearned), line.lower().encode())
    assert look_at_sparse(compiled(unlearned), line.upper().encode()) == seen


@pytest.mark.parametrize("quoted", ["`` {} ''", "“{}”", '" {} "', "“ {} ”", "&quot; {} &quot;"])
def test_quotation_marks_are_alike_however_they_are_written(unlearned, quoted):
    def fields(line):
        return [word.get("fields") for word in look_at_sparse(compiled(unlearned), line.encode())]

    line = "the man said {} to us"
    plain = fields(line.format('"the city of ann ."'))
    assert fields(line.format(quoted.format("the city of ann ."))) == plain


def test_a_quotation_mark_alone_opens_or_closes_as_its_spaces_say(unlearned):
    opening, closing = 264 + 4, 264 + 4 + 16
    for line, expected in (('a "b c', opening), ('a b" c', closing), ('"b c', opening)):
        marks = [w["prior"] for w in look_at_sparse(compiled(unlearned), line.encode())]
        assert [prior for prior in marks if prior in (opening, closing)] == [expected]


def test_what_a_prior_code_says(unlearned):
    # 40 x he, 30 x Ann, 3 x US of 12, 8 x iPhone
    surfaces = [b"<unk>", b"<s>", b"</s>", b"he", b"Ann", b"us", b"US", b"iPhone"]
    blob = np.frombuffer(b"".join(surfaces), np.uint8)
    offsets = np.cumsum([0, *map(len, surfaces)])
    forms = describe_vocabulary(blob, offsets, False)
    forms.count[3:] = [40, 30, 9, 3, 8]
    kept = np.ones(len(surfaces), np.bool_)
    kept[:3] = False
    codes = np.zeros(len(surfaces), np.uint32)
    lexicon = build_lexicon(forms, kept, forms.count, forms.count, codes, codes)
    found = prior_codes(forms, lexicon)
    place = dict(zip(lexicon.keys.tolist(), lexicon.first_record.tolist(), strict=True))

    def code(word):
        return int(found[place[hash_of(word)] - 1])

    assert code(b"he") == (0 * 14 + 0) * 6 + 2
    assert code(b"ann") == (0 * 14 + 13) * 6 + 2
    assert code(b"us") == (1 * 14 + 5) * 6 + 1
    assert code(b"iphone") == (2 * 14 + 13) * 6 + 1


def random_model(seen, rng, n_units):
    """Weights for some of the features of a line, and a hidden layer."""
    hashes = sorted({h for word in seen for h in word.get("hashes", ())})
    tables = []
    for _ in TABLES:
        chosen = rng.choice(np.array(hashes, np.uint64), len(hashes) // 2, replace=False)
        weights = rng.choice([-1.5, -0.25, 0.5, 1.0], len(chosen)).astype(np.float32)
        tables.append(Sparse(chosen, weights, np.ones(len(chosen), np.float32)))
    rows = rng.integers(-127, 128, (61, n_units)).astype(np.float32) / 100
    rows[0, 0] = 1.27
    return SparseWeights(
        tables=tables,
        rows=rows,
        out=rng.normal(size=(3, n_units)).astype(np.float32),
        bias=rng.normal(size=n_units).astype(np.float32),
    )


@pytest.mark.parametrize(("seed", "n_units"), enumerate([8, 1, 32, 40, 128]))
def test_scores_are_sums_of_weights(unlearned, seed, n_units):
    rng = np.random.default_rng(seed)
    line = " ".join(rng.permutation(WORDS)[:20]).encode()
    plain = look_at_sparse(compiled(unlearned), line)
    assert all(score == 0 for word in plain for score in word.get("scores", ()))
    model = random_model(plain, rng, n_units)
    scored = Truecaser(unlearned.model.replace(sparse=component(unlearned.model.sparse, model)))
    steps = arrays_of(scored)["fine.hidden.rows"].reshape(model.rows.shape).astype(int) - 128
    rows = steps * metadata_of(scored)["decoder"]["fine"]["hidden"]["scale"]
    assert rows == pytest.approx(model.rows, abs=6e-3)
    n_scores = 0
    for word in look_at_sparse(compiled(scored), line):
        if "scores" not in word:
            continue
        fields = dict(zip(FIELDS, word["fields"][1:], strict=True))
        units = sparse.hidden_units(rows, model.bias, fields, HIDDEN)
        for tag, score in zip(word["tags"], word["scores"], strict=True):
            expected = 0.0
            if TAG_IU <= tag <= TAG_MX:
                expected = stored_weights(scored, TABLES[tag - 1], word["hashes"]).sum()
                expected += model.out[tag - 1] @ units
                n_scores += 1
            assert score == pytest.approx(expected, abs=1e-4)
    assert n_scores


def stored_weights(truecaser, table, hashes):
    settings_of = metadata_of(truecaser)["decoder"]["fine"][table]
    codes = find(
        arrays_of(truecaser)[f"fine.{table}.slots"],
        settings_of["n_slots"],
        settings_of["fingerprint_bits"],
        settings_of["weight_bits"],
        (1 << settings_of["weight_bits"]) - 1,
        settings_of["max_probes"],
        np.array(hashes, np.uint64),
    )
    return arrays_of(truecaser)[f"fine.{table}.weight"][codes.astype(int)]


def test_packed_weights_are_near(unlearned):
    rng = np.random.default_rng(1)
    hashes = rng.integers(1, 2**64, 2000, np.uint64)
    weights = rng.normal(size=2000).astype(np.float32)
    empty = Sparse.empty()
    model = SparseWeights(tables=[Sparse(hashes, weights, weights), empty, empty])
    arrays, settings_of = pack_sparse(model)
    assert settings_of["iu"]["n_entries"] == 2000
    scored = Truecaser(unlearned.model.replace(sparse=component(unlearned.model.sparse, model)))
    found = stored_weights(scored, "iu", hashes)
    # Two features of the same fingerprint and place are one: rare.
    assert np.mean(np.abs(found - weights) < 0.2) > 0.99
    assert stored_weights(scored, "au", hashes).any() == 0
    assert arrays["transition"].shape == (64,)


def test_features_that_cost_most_are_kept():
    loss = np.arange(100, dtype=np.float32)
    tables = [Sparse(np.arange(100, dtype=np.uint64), loss, loss + k) for k in (0, 50)]
    kept = select_features(tables, 100.0)
    n_kept = sum(len(table.hashes) for table in kept)
    assert 0 < n_kept <= 100 * 8 * 0.85 / 17
    assert min(table.losses.min() for table in kept if len(table.losses)) > 100
    assert select_features(tables, 1e6) == tables
    assert sum(len(table.hashes) for table in select_features(tables, -5.0)) == 0


def test_templates_are_checked():
    assert encode_templates(["word", "before+word"], ["suffix3"]).tolist() == [
        [1, 0, 0, 0, 0],
        [2, 1, 0, 0, 0],
        [28, 0, 0, 0, 0],
    ]
    for always in (["nothing"], ["+".join(["word"] * 6)], ["word"] * 129):
        with pytest.raises(TemplateError):
            encode_templates(always, [])
