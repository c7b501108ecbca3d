"""Counts of parts add up to those of the whole, whatever the parts."""

import io
import json
import random
import zipfile
from collections import Counter

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from small_model import training_text

from truecase import PRESETS, TrainingError, TruecaseError, Truecaser, count_text, merge_counts
from truecase.base.progress import Progress
from truecase.errors import CountsError
from truecase.training.count_files import NgramCounts, WordCounts, ngram_bits
from truecase.training.train import train

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")

# Sentences inside of lines, abbreviations and names: what a part alone would see otherwise.
LINES = [
    "Mr. Smith met Dr. Jones. The two went to Lyon.",
    "The mr. in the text? Yes. The dr. too.",
    "She saw Mr. Brown. He saw the apple.",
    "Apple Inc. The company is old. apple pie!",
    "“Why?” he asked. The end.",
    "THE END OF IT",
    "<b>The</b> Smith",
    "",
]

lines_of_text = st.lists(st.sampled_from(LINES), min_size=1, max_size=30)


def text_of(lines):
    return "".join(line + "\n" for line in lines).encode()


def blocks(data):
    return lambda: iter([data])


def count_parts(folder, parts, order=3, **how):
    """Both steps for each part; the paths of their n-grams and of the merged words."""
    words = []
    for number, part in enumerate(parts):
        words.append(folder / f"{number}.words")
        count_text(blocks(part), words[-1], **how)
    merge_counts(words, folder / "all.words")
    counts = []
    for number, part in enumerate(parts):
        counts.append(folder / f"{number}.counts")
        count_text(blocks(part), counts[-1], words=folder / "all.words", order=order)
    return counts, folder / "all.words"


def bytes_of(model, folder):
    model.save(folder / "model.truecase")
    return (folder / "model.truecase").read_bytes()


@examples(15)
@given(lines=lines_of_text, data=st.data())
def test_any_cut_in_any_order_gives_the_same_bytes(lines, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("counts")
    text = text_of([*LINES[:2], *lines])
    whole, whole_words = count_parts(folder, [text], clean=True)
    wanted = whole_words.read_bytes(), whole[0].read_bytes()
    cuts = data.draw(st.lists(st.integers(0, len(lines)), max_size=3))
    ends = [0, *sorted(cuts), len(lines)]
    parts = [text_of(LINES[:2])]
    parts += [text_of(lines[a:b]) for a, b in zip(ends, ends[1:], strict=False)]
    parts = data.draw(st.permutations(parts))
    counts, words = count_parts(folder, parts, clean=True)
    merge_counts(data.draw(st.permutations(counts)), folder / "all.counts")
    assert words.read_bytes() == wanted[0]
    assert (folder / "all.counts").read_bytes() == wanted[1]


def test_ngrams_like_plain_python(tmp_path):
    (path,), _ = count_parts(tmp_path, [b"a b a .\na b\n\nc\n"], order=2, segmentation="space")
    with NgramCounts(path) as file:
        words = file.words()
        vocabulary = [word.decode() for word in words.training_vocabulary()]
        n_words, bits = len(vocabulary), ngram_bits(len(vocabulary))
        found = Counter()
        for keys, counts in file.pieces(n_words):
            for key, count in zip(map(int, keys), map(int, counts), strict=True):
                # The second half of the ids are first words of sentences.
                pair = [(key >> bits) % n_words, (key & (1 << bits) - 1) % n_words]
                found[tuple(vocabulary[word] for word in pair)] += count
    lines = [["<s>", *line.split(), "</s>"] for line in ("a b a .", "a b", "", "c")]
    assert found == Counter(pair for line in lines for pair in zip(line, line[1:], strict=False))
    assert vocabulary[3:] == ["a", "b", ".", "c"]


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("ngram", {}),
        ("ngram", {"lm.order": 2, "lm.prune": (0, 1), "max_size": 20_000}),
        ("ngram", {"lexicon.smartcase": False, "lm.keep_ngrams": True, "lexicon.min_count": 1}),
        ("unigram", {"lexicon.candidates": "full"}),
        ("portage", {"portage.variant": "powers"}),
    ],
)
def test_models_are_those_of_the_whole_text(preset, options, tmp_path):
    lines = training_text(600, seed=3).splitlines(keepends=True)
    lines += [line + "\n" for line in LINES * 4]
    random.Random(1).shuffle(lines)
    text, parts = "".join(lines).encode(), ["".join(lines[i::3]).encode() for i in range(3)]
    recipe = PRESETS[preset].with_options(options)
    development = blocks(training_text(40, seed=4).encode())
    counts, _ = count_parts(tmp_path, parts)
    merge_counts(counts[::-1], tmp_path / "all.counts")
    whole = train(blocks(text), recipe, development=development)
    merged = train(recipe=recipe, counts=tmp_path / "all.counts", development=development)
    assert bytes_of(merged.model, tmp_path) == bytes_of(whole.model, tmp_path)
    assert merged.evaluation == whole.evaluation
    limited = train(
        recipe=recipe, counts=tmp_path / "all.counts", memory=1, development=development
    )
    assert bytes_of(limited.model, tmp_path) == bytes_of(whole.model, tmp_path)
    truecaser = Truecaser.train(recipe=recipe, counts=tmp_path / "all.counts")
    assert truecaser("the end")


def test_models_of_text_that_was_cleaned(tmp_path):
    text = text_of(LINES * 9)
    cut = text.index(b"\n") + 1
    counts, _ = count_parts(tmp_path, [text[:cut], text[cut:]], clean=True, language="en")
    merge_counts(counts, tmp_path / "all.counts")
    options = {"filters.clean": True, "text.language": "en"}
    whole = train(blocks(text), PRESETS["ngram"].with_options(options))
    merged = train(counts=tmp_path / "all.counts")
    assert merged.model.notes["corpus"]["junk_lines"] == 9
    assert bytes_of(merged.model, tmp_path) == bytes_of(whole.model, tmp_path)


def test_a_limit_of_memory_changes_nothing(tmp_path):
    text = training_text(300, seed=3).encode()
    (counts,), words = count_parts(tmp_path, [text], order=5)
    count_text(blocks(text), tmp_path / "w", memory=1 << 27)
    count_text(blocks(text), tmp_path / "c", words=words, order=5, memory=1 << 27)
    assert (tmp_path / "w").read_bytes() == words.read_bytes()
    assert (tmp_path / "c").read_bytes() == counts.read_bytes()


def test_a_network_learns_on_text_that_was_not_counted(tmp_path):
    (counts,), _ = count_parts(tmp_path, [training_text(600, seed=3).encode()])
    recipe = PRESETS["crf-neural"].with_options({"network.n_units": 16})
    other = blocks(training_text(300, seed=5).encode())
    model = train(other, recipe, counts=counts).model
    assert model.notes["training"]["network"]["folds"] == 1
    assert Truecaser(model)(training_text(1, seed=6).lower())
    with pytest.raises(TrainingError, match="folds"):
        train(other, recipe.with_options({"network.folds": 2}), counts=counts)
    with pytest.raises(TrainingError, match="learns its weights on text"):
        train(recipe=recipe, counts=counts)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counts")
    parts = [training_text(60, seed=seed).encode() for seed in (1, 2)]
    counts, words = count_parts(folder, parts)
    return folder, parts, counts, words


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counts")
    (counts,), words = count_parts(folder, [training_text(40, seed=1).encode()], order=2)
    return {"n-grams": counts.read_bytes(), "words": words.read_bytes()}


def test_dense_features_take_neighbours_from_a_text_and_weights_from_another(tmp_path):
    """Of the text that was counted, neighbours are those of one run: so is all else."""
    text, development = (training_text(n, seed=n).encode() for n in (300, 100))
    (counts,), _ = count_parts(tmp_path, [text])
    whole = train(blocks(text), "crf", development=blocks(development))
    merged = train(blocks(text), "crf", counts=counts, development=blocks(development))
    assert bytes_of(merged.model, tmp_path) == bytes_of(whole.model, tmp_path)
    other = blocks(training_text(50, seed=9).encode() + b"Zyzzyva is a new word .\n")
    model = train(other, "crf", counts=counts, development=blocks(development)).model
    assert Truecaser(model)("the end")


def test_a_text_without_words_counts_nothing(tmp_path):
    (counts,), _ = count_parts(tmp_path, [b""])
    with pytest.raises(TrainingError, match=r"0\.counts: the text that was counted has no words"):
        train(counts=counts)


def test_more_files_than_can_be_open(tmp_path):
    (counts,), words = count_parts(tmp_path, [b"a b\n" * 300])
    parts = [tmp_path / f"{number}.part" for number in range(300)]
    count_text(blocks(b"a b\n"), parts[0], words=words)
    for part in parts[1:]:
        part.write_bytes(parts[0].read_bytes())
    merge_counts(parts, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == counts.read_bytes()


class TestRefused:
    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ({"segmentation": "space"}, "its segmentation is space, but .* raw"),
            ({"language": "tr"}, "its language is tr, but .* not told"),
            ({"clean": True}, "its text was cleaned, but .* not cleaned"),
        ],
    )
    def test_parts_that_were_read_in_another_way(self, made, how, message, tmp_path):
        _, parts, _, words = made
        count_text(blocks(parts[0]), tmp_path / "x.words", **how)
        with pytest.raises(CountsError, match=rf"x\.words: {message}"):
            merge_counts([words, tmp_path / "x.words"], tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_words_and_ngrams_orders_and_other_words(self, made, tmp_path):
        folder, parts, counts, words = made
        with pytest.raises(CountsError, match=r"0\.counts: counts of n-grams, but .*all\.words"):
            merge_counts([words, counts[0]], tmp_path / "out")
        count_text(blocks(parts[0]), tmp_path / "2", words=words, order=2)
        with pytest.raises(CountsError, match=r"2-grams, but .* 3-grams"):
            merge_counts([counts[0], tmp_path / "2"], tmp_path / "out")
        count_text(blocks(parts[0]), tmp_path / "o", words=folder / "0.words")
        with pytest.raises(CountsError, match="counted with other words"):
            merge_counts([counts[0], tmp_path / "o"], tmp_path / "out")
        with pytest.raises(CountsError, match="given more than once"):
            merge_counts([counts[0], counts[1], counts[0]], tmp_path / "out")
        with pytest.raises(CountsError, match="no counts"):
            merge_counts([], tmp_path / "out")
        merge_counts(str(counts[0]), tmp_path / "alone")
        merge_counts(counts[:1], tmp_path / "out")
        assert (tmp_path / "alone").read_bytes() == (tmp_path / "out").read_bytes()

    def test_text_that_has_other_words(self, made, tmp_path):
        _, _, _, words = made
        with pytest.raises(CountsError, match=r"the text: line 2: the word 'Zyzzyva'"):
            count_text(blocks(b"the\nZyzzyva\n"), tmp_path / "x", words=words)
        assert not (tmp_path / "x").exists()

    def test_models_of_some_parts_or_of_one_twice(self, made, tmp_path):
        folder, _, counts, _ = made
        with pytest.raises(CountsError, match="merge the counts of all parts"):
            train(counts=counts[0])
        merge_counts(counts, tmp_path / "all")
        merge_counts([tmp_path / "all", counts[0]], tmp_path / "more")
        with pytest.raises(CountsError, match="merged twice"):
            train(counts=tmp_path / "more")
        with pytest.raises(CountsError, match=r"all\.words: counts of words alone"):
            train(counts=folder / "all.words")
        with pytest.raises(CountsError, match="expected words"):
            count_text(blocks(b"a\n"), tmp_path / "x", words=counts[0])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"text.language": "tr"}, "text.language: 'tr', but .* counted with ''"),
            ({"text.segmentation": "space"}, "text.segmentation"),
            ({"filters.titles": "drop"}, "titles"),
            ({"lm.order": 4}, "order 4: .* has 3-grams"),
        ],
    )
    def test_recipes_that_ask_for_more(self, made, options, message):
        with pytest.raises(TrainingError, match=message):
            train(recipe=PRESETS["ngram"].with_options(options), counts=made[2][0])

    def test_presets(self, made, tmp_path):
        with pytest.raises(TrainingError, match="needs aligned text"):
            train(recipe="bilingual", counts=made[2][0])
        with pytest.raises(TrainingError, match="looks at the neighbours"):
            train(recipe="crf", counts=made[2][0])
        with pytest.raises(TrainingError, match="learns its weights on a development text"):
            train(blocks(b"a\n"), recipe="crf", counts=made[2][0])
        with pytest.raises(TrainingError, match="needs only the counts"):
            train(blocks(b"a\n"), counts=made[2][0])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"order": 3}, "order: words have none"),
            ({"segmentation": "none"}, "segmentation 'none': expected 'raw' or 'space'"),
            ({"language": "123"}, "123"),
            ({"memory": 5}, "memory 5"),
        ],
    )
    def test_wrong_arguments(self, options, message, tmp_path):
        with pytest.raises(TruecaseError, match=message):
            count_text(blocks(b"a\n"), tmp_path / "x", **options)

    def test_wrong_arguments_beside_words(self, made, tmp_path):
        for options, message in (({"order": 6}, "1 to 5"), ({"clean": True}, "say it already")):
            with pytest.raises(TrainingError, match=message):
                count_text(blocks(b"a\n"), tmp_path / "x", words=made[3], **options)
        with pytest.raises(TrainingError, match="no text to count"):
            count_text([], tmp_path / "x")


def claimed(about, n_ngrams):
    """What a file says of itself, with another number of n-grams."""
    return json.dumps({**json.loads(about), "n_ngrams": n_ngrams}).encode()


class TestDamaged:
    def read(self, data, folder):
        path = folder / "x.counts"
        path.write_bytes(data)
        merge_counts([path], folder / "out")
        return (folder / "out").read_bytes()

    @pytest.mark.parametrize("kind", ["words", "n-grams"])
    def test_alone_it_is_itself(self, file, kind, tmp_path):
        assert self.read(file[kind], tmp_path) == file[kind]

    @pytest.mark.parametrize("kind", ["words", "n-grams"])
    @pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 0.999])
    def test_cut_short(self, file, kind, share, tmp_path):
        data = file[kind]
        with pytest.raises(
            CountsError, match=r"x\.counts: (cut short or damaged|no file of counts)"
        ):
            self.read(data[: int(share * len(data))], tmp_path)
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize("kind", ["words", "n-grams"])
    def test_any_byte_changed(self, file, kind, tmp_path):
        """It is found, or stands where it says nothing: the result is the same."""
        choose = random.Random(7)
        for _ in range(150):
            data = bytearray(file[kind])
            data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
            try:
                found = self.read(bytes(data), tmp_path)
            except CountsError as error:
                found = str(error)
            assert found == file[kind] or "x.counts: " in str(found)

    def changed(self, data, change):
        """The archive with members changed, and their checksums, too."""
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                member = change(name, old.read(name))
                if member is not None:
                    new.writestr(name, member)
        return out.getvalue()

    @pytest.mark.parametrize(
        ("member", "change", "message"),
        [
            ("words.txt", lambda data: data[:-1], "last word has no end"),
            ("words.txt", lambda data: b"zz\n" + data[3:], "damaged"),
            ("words.txt", lambda data: data + b"\n", "damaged"),
            ("words.counts", lambda data: data[:-8], "another length"),
            ("words.counts", lambda data: data[:-1], "another length"),
            ("words.counts", lambda data: data[:-1] + b"\xff", "negative"),
            ("words.counts", lambda data: data[:-1] + b"\x7f", "larger than any text"),
            ("stops.counts", lambda data: data + data, "another length"),
            ("first.counts", lambda data: b"\x01" * len(data), "first more often"),
            ("n-grams", lambda data: data[:-1], "too"),
            ("n-grams", lambda data: data + data[:5], "too early"),
            ("n-grams", lambda data: data[:5], "more than its 5 bytes"),
            ("n-grams", lambda data: b"", "more than its 0 bytes"),
            ("about.json", lambda data: claimed(data, 1), "but its description 1$"),
            ("about.json", lambda data: claimed(data, 10**12), "1,000,000,000,000 n-grams, more"),
            ("n-grams", lambda data: b"\xff" * len(data), "an impossible size"),
            ("n-grams", lambda data: None, "n-grams is missing"),
            ("stops.pairs", lambda data: None, "stops.pairs is missing"),
            ("about.json", lambda data: None, "another archive"),
            ("about.json", lambda data: b"{", "cannot be read"),
            ("about.json", lambda data: b"[]", "cannot be read"),
            ("about.json", lambda data: b"[" * 10_000, "cannot be read"),
            ("about.json", lambda data: b" " * 100_000 + data, "another length"),
            ("about.json", lambda data: data.replace(b'"clean": false', b'"clean": 0'), "be read"),
            ("about.json", lambda data: data.replace(b'"order": 2', b'"order": 6'), "be read"),
            ("about.json", lambda data: data.replace(b'"raw"', b'"row"'), "cannot be read"),
            ("about.json", lambda data: data.replace(b'e": ""', b'e": "1"'), "cannot be read"),
            ("about.json", lambda data: data.replace(b"_lines", b"_signs"), "cannot be read"),
            ("about.json", lambda data: data.replace(b": 1,", b": 2,", 1), "count the text again"),
        ],
    )
    def test_members(self, file, member, change, message, tmp_path):
        data = self.changed(file["n-grams"], lambda n, d: change(d) if n == member else d)
        with pytest.raises(CountsError, match=rf"x\.counts: .*{message}"):
            self.read(data, tmp_path)

    def test_counts_that_are_too_many_together(self, file, tmp_path):
        """Each part is sound, and what they add up to would not be."""
        half = (1 << 53).to_bytes(8, "little")
        names = []
        for name in ("one", "other"):
            path = tmp_path / name
            path.write_bytes(
                self.changed(
                    file["words"],
                    lambda member, data: data[:-8] + half if member == "words.counts" else data,
                )
            )
            names.append(path)
        with pytest.raises(CountsError, match="more words together than any text"):
            merge_counts(names, tmp_path / "sum")

    @pytest.mark.parametrize("more", [b"\xff" * 2, b"\xff" * 5])
    def test_words_that_there_are_not(self, file, more, tmp_path):
        """Checksums fit and n-grams rise, but the last one is of a word beyond all others."""

        def beyond(name, data):
            if name != "n-grams":
                return data
            n_bytes = int.from_bytes(data[4:8], "little") + len(more)
            return data[:4] + n_bytes.to_bytes(4, "little") + data[8:-2] + more + b"\x7f\x01"

        path = tmp_path / "x.counts"
        path.write_bytes(self.changed(file["n-grams"], beyond))
        with pytest.raises(TruecaseError, match=r"x\.counts: damaged: an n-gram (has|is beyond)"):
            train(recipe=PRESETS["ngram"].with_options({"lm.order": 2}), counts=path)

    def test_more_ngrams_than_the_file_holds(self, file, tmp_path):
        """It is said before memory is taken for them."""
        path = tmp_path / "x.counts"
        path.write_bytes(
            self.changed(
                file["n-grams"], lambda n, d: claimed(d, 10**12) if n == "about.json" else d
            )
        )
        with pytest.raises(CountsError, match=r"x\.counts: damaged: its description has 1,000,0"):
            train(recipe=PRESETS["ngram"].with_options({"lm.order": 2}), counts=path)

    def test_another_version_of_the_package(self, file, tmp_path):
        def older(name, data):
            if name != "about.json":
                return data
            return json.dumps({**json.loads(data), "package": "0.0.1"}).encode()

        with pytest.raises(CountsError, match=r"x\.counts: counted by truecase 0\.0\.1"):
            self.read(self.changed(file["words"], older), tmp_path)

    def test_words_of_a_file_stand_in_the_order_of_their_bytes(self, file, tmp_path):
        (tmp_path / "x").write_bytes(file["words"])
        words = WordCounts.load(tmp_path / "x")
        surfaces = list(words.vocabulary)[3:]
        assert surfaces == sorted(surfaces)
        assert list(np.diff(words.count[words.ids[3:]]) <= 0) == [True] * (len(surfaces) - 1)


def test_progress_counts_the_bytes_of_the_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("truecase.training.count_text._AT_ONCE", 2)
    counts, _ = count_parts(tmp_path, [b"a b c\nb c\n", b"a\n", b"c d\n", b"d e f\n", b"f\n"])
    progress = Progress(enabled=False)
    merge_counts(counts, tmp_path / "all.counts", progress=progress)
    assert progress.n_bytes == sum(part.stat().st_size for part in counts)
