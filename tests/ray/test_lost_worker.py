"""A worker that dies takes no rows with it: another one cases them again, to the same text."""

import pyarrow as pa
import pytest
import ray
import ray.data

from truecase import Truecaser
from truecase.integrations.ray import TruecaseBatch

ROWS = [f"mary took bill {i} to london and the post to oslo" for i in range(400)]


def dying(note, model):
    """A class that cases batches, and kills the first process that has cased one."""

    # Within a function, since workers cannot import the tests.
    class Dying:
        def __init__(self):
            from truecase.integrations.ray import TruecaseBatch

            self._case = TruecaseBatch("text", model)

        def __call__(self, batch):
            return last_breath(self._case(batch))

    def last_breath(batch):
        import os
        import signal

        import pyarrow as pa

        try:
            with open(note, "x") as out:
                out.write(str(os.getpid()))
        except FileExistsError:
            return batch.append_column("process", pa.array([os.getpid()] * len(batch)))
        os.kill(os.getpid(), signal.SIGKILL)

    return Dying, last_breath


@pytest.mark.parametrize("way", ["tasks", "actors"])
def test_lost_worker(way, model_file, tmp_path):
    data = ray.data.from_arrow(pa.table({"i": range(len(ROWS)), "text": ROWS})).repartition(8)
    as_actor, then_die = dying(str(tmp_path / "lost"), str(model_file))
    if way == "tasks":
        # Both steps are taken by one task.
        cased = data.map_batches(TruecaseBatch("text", model_file), batch_format="pyarrow")
        made = cased.map_batches(then_die, batch_format="pyarrow")
    else:
        one = ray.data.ActorPoolStrategy(size=1)
        made = data.map_batches(as_actor, batch_format="pyarrow", compute=one)
    table = pa.concat_tables(ray.get(made.to_arrow_refs())).sort_by("i")
    assert table["i"].to_pylist() == list(range(len(ROWS)))
    expected = Truecaser.load(model_file).column(pa.array(ROWS)).to_pylist()
    assert table["text"].to_pylist() == expected != ROWS
    assert int((tmp_path / "lost").read_text()) not in table["process"].to_pylist()
