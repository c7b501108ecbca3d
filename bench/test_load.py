"""Import, load and first call, each in a fresh process so that nothing is warm but the disk."""

import json
import statistics
import subprocess
import sys

import pytest

# Prints seconds of: import, load of the embedded model, first call.
SCRIPT = """
import json, time
t0 = time.perf_counter()
import truecase
t1 = time.perf_counter()
out = {"import": t1 - t0}
try:
    t1 = time.perf_counter()
    model = truecase.Truecaser.load(None)
    t2 = time.perf_counter()
    model("hello from new york")
    out.update(load=t2 - t1, first_call=time.perf_counter() - t2)
except (OSError, truecase.ModelError) as error:
    out["missing"] = str(error)
print(json.dumps(out))
"""


def fresh(folder):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, cwd=folder
    )
    return json.loads(done.stdout)


@pytest.mark.benchmark(group="start")
@pytest.mark.parametrize(("what", "target_ms"), [("import", 150), ("load", 20), ("first_call", 0)])
def test_start(benchmark, tmp_path, what, target_ms):
    seconds = []

    def once():
        figures = fresh(tmp_path)
        if what not in figures:
            pytest.skip(figures["missing"])
        seconds.append(figures[what])

    benchmark.pedantic(once, rounds=10, warmup_rounds=1)
    benchmark.extra_info["what"] = f"{what}, seconds inside a fresh process"
    benchmark.extra_info["best_ms"] = round(min(seconds) * 1e3, 2)
    benchmark.extra_info["median_ms"] = round(statistics.median(seconds) * 1e3, 2)
    if target_ms:
        benchmark.extra_info["target_ms"] = target_ms
