"""Bilingual presets learn that the source decides."""

from contextlib import closing

import numpy as np
import pytest
from bilingual_options import DENSE, NEURAL
from parts import arrays_of, metadata_of, of_arrays
from small_bitext import bitext, errors

from truecase import Truecaser
from truecase.alignment.lines import AlignedLines, Phrases, all_caps_lines, wrong_links
from truecase.alignment.link_formats import parse_pharaoh
from truecase.errors import ModelError, TrainingError
from truecase.kernels._segment import count_words
from truecase.training.material import BitextBlocks, TextBlocks
from truecase.training.recipe import TranslationRecipe

TEST = bitext(150, seed=77)


def test_the_source_decides_between_senses(learned):
    assert errors(learned, TEST, source=TEST.source, phrases=TEST.phrases) < 0.01
    # Two senses of one word in one line: the whole line tells less than the alignment.
    assert errors(learned, TEST, source=TEST.source) < 0.15
    assert errors(learned, TEST) > 0.1


@pytest.mark.parametrize(
    ("source", "expected"),
    [("Alors la facture .", "So the bill ."), ("Alors le Bill .", "So the Bill .")],
)
def test_one_word_in_two_senses(learned, source, expected):
    for alignment in ("0-0 1-1 2-2 3-3", None):
        assert learned("so the bill .", source=source, alignment=alignment) == expected


@pytest.mark.parametrize("options", [DENSE, NEURAL])
def test_the_same_text_gives_the_same_bytes(learn, options, tmp_path):
    lines = bitext(600, seed=3)
    files = []
    for threads in (1, 1, 2):
        model = learn(options, lines, threads=threads)
        model.save(tmp_path / "model.truecase")
        files.append((tmp_path / "model.truecase").read_bytes())
    assert files[0] == files[1] == files[2]


def test_the_model_survives_its_file(learned, tmp_path):
    path = tmp_path / "model.truecase"
    learned.save(path)
    again = Truecaser.load(path, verify=True)
    for phrases in (TEST.phrases, None):
        assert again.case_block(
            TEST.target.lower(), source=TEST.source, phrases=phrases
        ) == learned.case_block(TEST.target.lower(), source=TEST.source, phrases=phrases)


def test_how_the_text_is_cut_into_pieces_does_not_matter(learn):
    lines = bitext(500, seed=9)
    pieces = list(lines.parts(2000))
    assert len(pieces) > 3
    joined = AlignedLines.join(pieces)
    assert (joined.target, joined.source) == (lines.target, lines.source)
    assert joined.phrases.to_lines() == lines.phrases.to_lines()


def test_development_text_is_learned_from(learn, dense):
    development = bitext(300, seed=21)
    model = learn(DENSE, development=development)
    assert errors(model, TEST, source=TEST.source, phrases=TEST.phrases) < 0.01
    assert metadata_of(model)["notes"]["source"] != metadata_of(dense)["notes"]["source"]
    neural = learn(NEURAL, development=development)
    assert errors(neural, TEST, source=TEST.source, phrases=TEST.phrases) < 0.01


def test_more_text_is_known_to_the_language_model(learn):
    more = b"the krzt is in the krzt .\n" * 30
    model = learn(DENSE, bitext(600), more=lambda: [more])
    assert model.training_count("krzt") > 0


def test_lines_without_alignment_are_learned_from(learn):
    lines = bitext(600, seed=4)
    known = lines.phrases.to_lines()
    mixed = Phrases.from_lines([w if i % 3 else len(w) for i, w in enumerate(known)])
    for options in (DENSE, NEURAL):
        model = learn(options, AlignedLines(lines.target, lines.source, mixed))
        assert errors(model, TEST, source=TEST.source, phrases=TEST.phrases) < 0.03


def test_a_turkish_source(learn):
    options = DENSE.with_options({"source.language": "tr"})
    model = learn(options, bitext(600, seed=4))
    assert metadata_of(model)["sections"]["source"]["casing"] == "turkic"
    assert errors(model, TEST, source=TEST.source, phrases=TEST.phrases) < 0.02


def test_what_cannot_be_learned_from_is_refused(learn):
    tiny = bitext(3)
    with pytest.raises(TrainingError, match="too short to hold some of it out"):
        learn(DENSE, tiny)
    empty = AlignedLines(b"\n\n", b"\n\n", Phrases.from_lines([[], []]))
    for options in (DENSE, NEURAL):
        with pytest.raises(TrainingError):
            learn(options, empty, development=tiny)
    with pytest.raises(TrainingError, match="leave nothing"):
        NEURAL.with_options({"max_size": 50_000})
    with pytest.raises(TrainingError):
        TranslationRecipe(phrases="nonsense")


def test_of_mixed_forms_the_one_of_the_source_is_taken(learned):
    for path in ("/home/Doc.txt", "/Home/DOC.txt", "/HOME/doc.txt", "/home/doc.txt"):
        for alignment in ("0-0 1-1 2-2 3-3", None):
            out = learned(f"so in {path.lower()} .", source=f"Alors dans {path} .",
                          alignment=alignment)  # fmt: skip
            assert out == f"So in {path} ."


def test_used_as_a_simpler_model(learned):
    for preset in ("ngram", "unigram"):
        model = learned.model.only(preset)
        assert model.source is model.tables is model.dense is model.network is None
        simpler = Truecaser(model)
        assert simpler("so mary opens london .") == "So Mary opens London ."
    # The n-grams look at the source with weights that suit any pair; forms alone do not.
    n_grams = Truecaser(learned.model.only("ngram"))
    assert n_grams("so a file .", source="ALORS UN FICHIER .") == "SO A FILE ."
    with pytest.raises(ValueError, match="look at no source"):
        simpler("so", source="Alors")


def damaged(model, arrays=(), **sections):
    metadata = metadata_of(model)
    metadata["sections"] |= sections
    return of_arrays({**arrays_of(model), **dict(arrays)}, metadata)


def test_unknown_columns_are_refused(dense):
    settings = metadata_of(dense)["sections"]["source"]
    for name in ("features", "dense_features"):
        other = {**settings, name: ["nonsense", *settings[name][1:]]}
        with pytest.raises(ModelError, match="'nonsense'; a newer version"):
            damaged(dense, source=other)
        for wrong in (None, 7, "translation", [1] * len(settings[name]), settings[name][:-1]):
            with pytest.raises(ModelError):
                damaged(dense, source={**settings, name: wrong})
    for casing in (None, "elvish", 3):
        with pytest.raises(ModelError):
            damaged(dense, source={**settings, "casing": casing})


@pytest.mark.parametrize("name", ["source/weights", "source/dense_weights"])
def test_hostile_weights_are_refused(dense, name):
    array = arrays_of(dense)[name]
    for wrong in (
        array[:-1],
        np.append(array, array[:1]),
        array.astype(np.float64),
        array * np.nan,
    ):
        with pytest.raises(ModelError, match=r"source/(dense_)?weights"):
            damaged(dense, {name: wrong})
    huge = np.full_like(array, 3e38)
    huge[::2] *= -1
    try:
        model = damaged(dense, {name: huge})
    except ModelError:
        return
    out = model.case_block(TEST.target, source=TEST.source, phrases=TEST.phrases)
    assert out.lower() == TEST.target.lower()


def test_no_line_is_set_in_capitals_whose_source_has_no_case():
    cased, caseless = b"Le chat .\n", "猫 。\n".encode()
    lines = AlignedLines(b"The cat .\n" * 4, cased + caseless * 2 + cased)
    all_caps = all_caps_lines(lines, 2)
    # Of every second line, the second and the fourth, the one that has case.
    assert (all_caps.target, all_caps.source) == (b"THE CAT .\n", b"LE CHAT .\n")


def test_links_made_wrong():
    target, source = b"a b c d\n\ne f\ng\n", b"p q r\nx\ny z\n"
    given = [[[0], [1], [1, 2], []], [], 2, [[0]]]
    lines = AlignedLines(target, source, Phrases.from_lines(given))
    assert wrong_links(lines, 0.0).phrases.to_lines() == given
    assert wrong_links(lines, 0.5, 1).phrases.to_lines() == (
        wrong_links(lines, 0.5, 1).phrases.to_lines()
    )
    seen = [set(), set(), set(), set()]
    for seed in range(40):
        first, *rest = wrong_links(lines, 1.0, seed).phrases.to_lines()
        # The last line has no source, so that its link has nowhere else to lead to.
        assert rest == given[1:]
        for words, found in zip(first, seen, strict=True):
            found.update(words)
    assert [len(found) for found in seen] == [3, 3, 3, 0]
    half = [sum(map(len, wrong_links(lines, 0.5, s).phrases.to_lines()[0])) for s in range(40)]
    assert set(half) == {3, 4}  # two of a word that lead to the same one are one
    bare = AlignedLines(target, source)
    assert wrong_links(bare, 1.0) is bare


def test_blocks_have_each_line_once():
    lines = [b"line %d is here\n" % n for n in range(4000)]
    text = b"".join(lines)
    links = parse_pharaoh(b"0-0\n" * len(lines), count_words(text), count_words(text))
    with closing(BitextBlocks([AlignedLines(text, text.upper(), links)])) as blocks:
        assert len(blocks) > 10
        for block in blocks.without_fold():
            block.check()
            assert block.source == block.target.upper()
        assert b"".join(blocks.text()) == text
        held_out = b"".join(block.target for block in blocks.fold(1, 3))
        assert sorted((held_out + b"".join(blocks.text(1, 3))).splitlines(True)) == sorted(lines)


def test_pieces_of_blocks_are_each_there_once():
    lines = [b"line %d is here\n" % n for n in range(4000)]
    with closing(TextBlocks(lines)) as blocks:
        assert blocks.n_pieces > len(blocks) > 10
        pieces = list(blocks.shuffled(3))
        assert len(pieces) == blocks.n_pieces
        assert all(piece in blocks[index] for index, piece in pieces)
        together = b"".join(piece for _, piece in pieces)
        assert sorted(together.splitlines(True)) == sorted(lines)
        assert b"".join(blocks.text()) == b"".join(lines)
        assert pieces == list(blocks.shuffled(3))
