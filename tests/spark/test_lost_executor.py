"""An executor that dies takes no rows with it: others case them again, to the same text."""

import os
import signal
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest

from truecase import Truecaser

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


def slowly(at_work):
    """A step that gives time to kill who takes it, and tells which attempt of its task this is.

    A file in the folder has the number of each executor's process that takes it.
    """

    # Within a function, since executors cannot import the tests.
    def step(batches):
        import os
        import time
        from pathlib import Path

        import pyarrow as pa
        from pyspark import TaskContext

        # The parent of the worker starts workers, and has the executor as its own.
        fields = Path(f"/proc/{os.getppid()}/stat").read_text().rsplit(")", 1)[1].split()
        Path(at_work, fields[1]).touch()
        for batch in batches:
            time.sleep(0.2)
            attempts = [TaskContext.get().attemptNumber()] * batch.num_rows
            yield batch.append_column("attempt", pa.array(attempts, pa.int32()))

    return step


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are not in /proc")
def test_lost_executor(with_cased, spark, model_file, tmp_path):
    context = spark.sparkContext
    model = Truecaser.load(model_file)
    rows = spark.range(0, N_ROWS, 1, N_PARTS).selectExpr(
        "id as i", "format_string('mary took bill %d to london and the post to oslo', id) as text"
    )
    made = with_cased(rows, "text", model_file).mapInArrow(
        slowly(str(tmp_path)), "i long, text string, attempt int"
    )
    before = wait_for(lambda: len(found := executors(context.applicationId)) == 2 and found)
    lost, stages = [], []

    def kill_one():
        status = context.statusTracker()

        def some_are_done():
            stages[:] = [status.getStageInfo(stage) for stage in status.getActiveStageIds()]
            return any(
                stage and stage.numTasks == N_PARTS and stage.numCompletedTasks for stage in stages
            )

        wait_for(some_are_done)
        # Of those that take a step, since one that has just begun may have no tasks.
        lost.append(max(int(path.name) for path in tmp_path.iterdir()))
        os.kill(lost[0], signal.SIGKILL)

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
    assert lost[0] in before and lost[0] not in after and len(after - before) == 1
