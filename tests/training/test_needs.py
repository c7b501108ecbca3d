"""What a recipe needs and does not get, or gets without need: told before anything is read."""

import sys

import pytest
from small_bitext import bitext

from truecase.alignment.lines import SkippedLines
from truecase.errors import TrainingError, TruecaseError, WrongTypeError
from truecase.training.material import Bitext
from truecase.training.recipe import PRESETS, Recipe
from truecase.training.train import train


def unread():
    raise AssertionError("the text was read")


def plain(*presets):
    return [name for name in PRESETS if PRESETS[name].source is None and name not in presets]


@pytest.mark.parametrize("preset", plain())
@pytest.mark.parametrize(
    "given",
    [
        {"source": "s"},
        {"alignment": "a"},
        {"more": ["m"]},
        {"more": unread},
        {"skipped": SkippedLines()},
        {"development": Bitext("t", "s")},
    ],
)
def test_a_source_belongs_to_the_bilingual_presets(preset, given):
    with pytest.raises(TrainingError, match=f"the preset {preset} does not look at a source"):
        train(unread, preset, **given)


@pytest.mark.parametrize("preset", ["bilingual", "bilingual-neural"])
@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("missing.en", {}),
        ("missing.en", {"source": "missing.fr"}),
        ("missing.en", {"alignment": "missing.align"}),
        (["a.en", "b.en"], {"source": "missing.fr", "alignment": "missing.align"}),
    ],
)
def test_the_bilingual_presets_need_a_source_and_its_alignment(preset, text, given):
    with pytest.raises(TrainingError, match=f"the preset {preset} needs one file of text"):
        train(text, preset, **given)


@pytest.mark.parametrize("preset", ["bilingual", "bilingual-neural"])
def test_the_development_text_of_a_bilingual_preset_needs_its_source(preset):
    with pytest.raises(TrainingError, match="needs its source, too; give a Bitext"):
        train(unread, preset, development="dev.en")


@pytest.mark.parametrize("preset", PRESETS)
def test_missing_files_are_found_before_the_text_is_read(preset, tmp_path):
    missing = str(tmp_path / "missing")
    development = missing
    if PRESETS[preset].source is not None:
        development = Bitext(tmp_path, missing)
    with pytest.raises(OSError, match=r"missing|directory"):
        train(unread, preset, development=development)


@pytest.mark.parametrize("preset", ["crf", "bilingual", "bilingual-neural"])
def test_missing_libraries_are_found_before_the_text_is_read(preset, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(TrainingError, match="needs SciPy"):
        train(unread, preset)


def test_standard_input_is_read_once():
    with pytest.raises(TrainingError, match="standard input can be read only once"):
        train("-", development="-")


def test_there_must_be_a_text():
    with pytest.raises(TrainingError, match="no text"):
        train([])
    with pytest.raises(TypeError, match="text: expected a str, a path, a list or a function"):
        train(7)


def test_a_function_gives_aligned_lines_by_itself():
    with pytest.raises(TrainingError, match="already gives aligned lines"):
        train(lambda: [bitext(5)], "bilingual", source="s", alignment="a")


@pytest.mark.parametrize("memory", [0, -1, "2G"])
def test_memory_is_checked(memory):
    with pytest.raises(TruecaseError, match=r"^memory.*: expected a number"):
        train(unread, memory=memory)


def test_a_size_is_a_number_of_bytes():
    with pytest.raises(TrainingError, match="max_size -5: expected a number of bytes"):
        Recipe(max_size=-5)


def test_a_recipe_of_marks_is_checked_before_the_text_is_read():
    with pytest.raises(WrongTypeError, match="marks: expected MarksRecipe or None, found str"):
        train(unread, marks="en")


def test_blocks_of_str_are_refused():
    with pytest.raises(TypeError, match="text: expected blocks of bytes, found str"):
        train(lambda: ["The cat.\n"])


@pytest.mark.parametrize("threads", [0, -1, "2", None])
def test_threads_are_checked(threads):
    with pytest.raises(TruecaseError, match=r"^threads"):
        train(unread, threads=threads)
