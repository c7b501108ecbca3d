"""Import, load and first call, each in a fresh process so that nothing is warm but the disk."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

# Prints seconds of: import, load of the model, first call. `import truecase` alone does not
# import NumPy and the compiled modules, so that the command line starts fast; asking for
# `Truecaser` does, and that is counted as import, not as loading.
SCRIPT = """
import json, sys, time
t0 = time.perf_counter()
import truecase
t1 = time.perf_counter()
truecase.Truecaser
out = {"import_package": t1 - t0, "import": time.perf_counter() - t0}
try:
    t1 = time.perf_counter()
    model = truecase.Truecaser.load(sys.argv[1] or None)
    t2 = time.perf_counter()
    model("hello from new york")
    out.update(load=t2 - t1, first_call=time.perf_counter() - t2)
except (OSError, truecase.ModelError) as error:
    out["missing"] = str(error)
print(json.dumps(out))
"""


def fresh(folder, model):
    command = [sys.executable, "-c", SCRIPT, model]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    return json.loads(done.stdout)


@pytest.mark.benchmark(group="start")
@pytest.mark.parametrize(
    ("what", "target_ms"), [("import", 150), ("import_package", 0), ("load", 20), ("first_call", 0)]
)
def test_start(benchmark, report_ms, request, tmp_path, what, target_ms):
    model = request.config.getoption("model")
    model = str(Path(model).absolute()) if model else ""
    seconds = []

    def once():
        figures = fresh(tmp_path, model)
        if what not in figures:
            pytest.skip(figures["missing"])
        seconds.append(figures[what])

    benchmark.pedantic(once, rounds=10, warmup_rounds=1)
    report_ms(f"{what}, seconds inside a fresh process", seconds, target_ms)
