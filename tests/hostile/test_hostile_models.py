"""No model file, however broken, crashes or hangs the process: a clear error, or cased text.

What is damaged is in damage.py; worker.py loads it in a process of its own.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from calibrations import calibrated
from networks import neural
from patience import seconds
from plain_containers import load, save
from small_model import training_text

from truecase.model.names import name_list
from truecase.truecaser import Truecaser

HERE = Path(__file__).parent
HOWS = ("plain", "verified", "copied")

# Text that hits known words, unknown words, mixed case, long words and long lines.
TEXT = (
    training_text(12, seed=5).lower()
    + "xyzzy iphone ebay mcleod o'brien u.s. don't 3dtv " * 5
    + "\n\n"
    + "a" * 3000
    + "\nşöße ﬁn ǆ ΟΔΟΣ i̇ 中文 😀 -LRB- `` ''\n"
)


@pytest.fixture(scope="module")
def results(
    model_file,
    crf_model_file,
    neural_model_file,
    bilingual_model_file,
    portage_model_file,
    tmp_path_factory,
):
    """Outcomes of one kind of damage, by how the model was loaded (worker.py)."""
    named_file = tmp_path_factory.mktemp("models") / "named.truecase"
    made = calibrated(Truecaser.load(neural_model_file))
    made.with_names(name_list(["!iPhone", "Lyon Bridge", "Post"])).save(named_file)
    neural_file = named_file.with_name("neural.truecase")
    neural(Truecaser.load(model_file)).save(neural_file)
    files = {
        "named": named_file,
        "crf-neural": neural_file,
        "ngram": model_file,
        "crf": crf_model_file,
        "bilingual": bilingual_model_file,
        "portage": portage_model_file,
    }

    def run(kind, preset="ngram", hows=HOWS):
        folder = tmp_path_factory.mktemp(kind)
        text = folder / "text.txt"
        # each word costs 64 candidates there
        text.write_text(TEXT[:600] if kind == "endless" else TEXT, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, HERE / "worker.py", kind, files[preset], text, folder, *hows],
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds(300),  # a setting in a file must not make a look-up run for ever
            cwd=folder,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        last = lines[-1] if lines else "before the first case"
        assert done.returncode == 0, f"died with {done.returncode} at {last}: {done.stderr[-2000:]}"
        ended = [line for line in lines if "outcome" in line]
        assert ended
        return {how: [o for o in ended if o["how"] == how] for how in hows}

    return run


def other_than(prefix, outcomes):
    return [o for o in outcomes if not o["outcome"].startswith(prefix)]


@pytest.mark.parametrize("kind", ["truncated", "random_bytes"])
def test_is_always_refused(results, kind):
    outcomes = results(kind)
    for how in HOWS:
        assert other_than("refused", outcomes[how]) == []


@pytest.mark.parametrize(
    "kind", ["flipped_header", "header_length", "settings", "arrays", "endless"]
)
def test_is_refused_or_harmless(results, kind):
    outcomes = results(kind)
    assert other_than(("refused", "decoded"), outcomes["plain"] + outcomes["copied"]) == []
    assert other_than(("refused", "loaded"), outcomes["verified"]) == []
    assert other_than("decoded", outcomes["plain"])


def test_changed_data_is_harmless_and_the_checksum_notices(results):
    outcomes = results("flipped_data")
    assert other_than(("refused", "decoded"), outcomes["plain"] + outcomes["copied"]) == []
    assert other_than("refused", outcomes["verified"]) == []


@pytest.mark.parametrize("preset", ["crf", "bilingual", "portage"])
@pytest.mark.parametrize("kind", ["settings", "arrays", "flipped_data"])
def test_damaged_features_and_mixtures_are_refused_or_harmless(results, kind, preset):
    outcomes = results(kind, preset, ["copied"])["copied"]
    assert other_than(("refused", "decoded"), outcomes) == []
    assert other_than("decoded", outcomes)


@pytest.mark.parametrize("preset", ["named", "crf-neural"])
@pytest.mark.parametrize("kind", ["settings", "arrays", "flipped_data"])
def test_damaged_parts_of_newer_models_are_refused_or_harmless(results, kind, preset):
    outcomes = results(kind, preset, ["copied"])["copied"]
    assert other_than(("refused", "decoded"), outcomes) == []
    assert other_than("decoded", outcomes)


def test_forms_without_a_last_one_are_read_to_a_bound(model_file, tmp_path):
    """A word of a damaged file may have all forms of the lexicon: each call would read them all."""
    good = Path(model_file).read_bytes()
    header = json.loads(good[8 : 8 + int.from_bytes(good[:8], "little")])
    arrays = load(good)
    records = arrays["lexicon/records"] & ~np.uint32(4)
    # Common forms alone, so that no record is longer than the others.
    records = np.tile(records[records & 3 != 3], 40)
    arrays["lexicon/records"] = records
    damaged = tmp_path / "damaged.truecase"
    damaged.write_bytes(save(arrays, metadata=header["__metadata__"]))
    truecaser = Truecaser.load(damaged)
    counts = [truecaser.training_count(word) for word in ("the", "harbour", "a")]
    most = 256 * (2 ** (int(records.max() >> 24) / 8) - 1)
    assert 0 < max(counts) <= most
    whole = (2 ** ((records >> 24) / 8.0) - 1).sum()
    assert max(counts) < whole / 2
    truecaser.with_names(name_list(["The Harbour", "the harbour"]))
