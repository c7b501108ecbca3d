#!/bin/bash -eu
# Compiler, sanitizers and engine come by CC, CFLAGS and the like: a build with bounds checks and the
# kernels' assertions, to which nothing of our own is added.
export TRUECASE_BUILD=checked
python3 -m pip install --no-build-isolation --no-deps .
python3 setup.py -q build_ext --for-tests \
    --build-lib "$(python3 -c 'import sysconfig; print(sysconfig.get_path("platlib"))')"

# The small models take seconds to train, but what is packed has no compiled training for others.
export TRUECASE_FUZZ_MODELS=$OUT/models
LD_PRELOAD=$(python3 -c 'import atheris; print(atheris.path())')/asan_with_fuzzer.so \
    ASAN_OPTIONS=detect_leaks=0 python3 fuzz/models.py

for file in fuzz/harnesses/[a-z]*.py; do
    name=$(basename "$file" .py)
    printf 'import run\n\nrun.main("%s")\n' "$name" > "fuzz/fuzz_$name.py"
    compile_python_fuzzer "fuzz/fuzz_$name.py" --paths fuzz --paths tests --collect-all truecase \
        --hidden-import "harnesses.$name" --add-data "fuzz/harnesses:harnesses" \
        --add-data "tests/small_model.py:." --add-binary "$OUT/models:models"
    python3 fuzz/kept.py unpack "$name" "$WORK/$name"
    zip -q -j -r "$OUT/fuzz_${name}_seed_corpus.zip" "$WORK/$name"
    printf '[libfuzzer]\nlen_control = 0\ntimeout = 60\nentropic_scale_per_exec_time = 1\n' > "$OUT/fuzz_$name.options"
done
