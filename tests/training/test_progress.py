"""What training tells of its progress is true."""

import pytest
from recipes import SMALL_NETWORK, recipe
from small_bitext import bitext, pharaoh
from small_model import training_text

from truecase.base.progress import Progress
from truecase.training.recipe import PRESETS
from truecase.training.train import train

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")


class Told(Progress):
    """Keeps what it is told, with the bytes read so far."""

    def __init__(self):
        super().__init__(enabled=False)
        self.phases = []

    def phase(self, label):
        self.phases.append((label, self.n_bytes))


@pytest.mark.parametrize("preset", PRESETS)
def test_each_byte_is_read_once_and_before_what_needs_all(preset, tmp_path):
    text, arguments, options = tmp_path / "text", {}, {}
    text.write_text(training_text(700, seed=3), encoding="utf-8")
    if PRESETS[preset].network is not None:
        options = SMALL_NETWORK
    if PRESETS[preset].source is not None:
        lines = bitext(400, seed=5)
        for name, data in (("s", lines.source), ("a", pharaoh(lines))):
            (tmp_path / name).write_bytes(data)
        text.write_bytes(lines.target)
        arguments = {"source": tmp_path / "s", "alignment": tmp_path / "a"}
    told = Told()
    train(text, recipe(preset, **options), progress=told, **arguments)
    assert told.n_bytes == text.stat().st_size
    labels = [label for label, _ in told.phases]
    last = {
        "crf": "all text: packing",
        "crf-neural": "learning the network 100%",
        "bilingual": "learning weights of the source",
        "bilingual-neural": "learning weights of the source",
    }
    assert labels[-1] == last.get(preset, "packing")
    for label, n_bytes in told.phases:
        if "reading" not in label or "fold" in label:
            assert n_bytes == told.n_bytes, label
