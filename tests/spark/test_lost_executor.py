"""An executor that dies takes no rows with it: others case them again, to the same text."""

import os
import signal
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest

from truecase import Truecaser
from truecase.integrations.spark import case_frame, truecased

N_PARTS = 16
N_ROWS = 8000


def executors(application):
    """Processes of an application's executors."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"--app-id" in words and words[words.index(b"--app-id") + 1] == application.encode():
            found.append(int(folder.name))
    return set(found)


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return found


def slowly():
    """A step that gives time to kill who takes it, and tells which attempt of its task this is."""

    # Within a function, since executors cannot import the tests.
    def step(batches):
        import time

        import pyarrow as pa
        from pyspark import TaskContext

        for batch in batches:
            time.sleep(0.2)
            attempts = [TaskContext.get().attemptNumber()] * batch.num_rows
            yield batch.append_column("attempt", pa.array(attempts, pa.int32()))

    return step


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are not in /proc")
@pytest.mark.parametrize("way", ["frame", "expression"])
def test_lost_executor(way, spark, model_file):
    context = spark.sparkContext
    model = Truecaser.load(model_file)
    rows = spark.range(0, N_ROWS, 1, N_PARTS).selectExpr(
        "id as i", "format_string('mary took bill %d to london and the post to oslo', id) as text"
    )
    if way == "frame":
        made = case_frame(rows, "text", model_file)
    else:
        made = rows.withColumn("text", truecased("text", model_file))
    made = made.mapInArrow(slowly(), "i long, text string, attempt int")
    before = wait_for(lambda: len(found := executors(context.applicationId)) == 2 and found)
    lost = max(before)
    stages = []

    def kill_one():
        status = context.statusTracker()

        def some_are_done():
            stages[:] = [status.getStageInfo(stage) for stage in status.getActiveStageIds()]
            return any(
                stage and stage.numTasks == N_PARTS and stage.numCompletedTasks for stage in stages
            )

        wait_for(some_are_done)
        os.kill(lost, signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    done = made.collect()
    killer.join()
    given = [f"mary took bill {i} to london and the post to oslo" for i in range(N_ROWS)]
    expected = model.column(pa.array(given)).to_pylist()
    assert sorted((row.i, row.text) for row in done) == list(enumerate(expected))
    assert all(stage.numCompletedTasks < N_PARTS for stage in stages)
    assert {row.attempt for row in done} == {0, 1}
    # Another one takes its place, for the next job.
    after = wait_for(lambda: len(now := executors(context.applicationId)) == 2 and now)
    assert lost not in after and len(after - before) == 1
