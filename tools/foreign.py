"""Run the tests on an emulated processor of another kind: make test-foreign ARCH=s390x.

    python tools/foreign.py ARCH FOLDER [--mirror URL] [-- PYTEST-ARGUMENTS]

ARCH is one of Debian: arm64, or s390x, which is big-endian. FOLDER gets a Debian of that kind, with
its Python and what the tests need. Modules are translated and compiled here, by a cross compiler,
with the flags of setup.py; only the tests are emulated, by qemu. Run it as root on Debian, with the
packages mmdebstrap, arch-test, qemu-user-static, and gcc-s390x-linux-gnu with
libc6-dev-s390x-cross, or gcc-aarch64-linux-gnu with libc6-dev-arm64-cross.

The tests include those of the files in tests/golden, which were written on x86-64. The mirror may
be a whole line of sources.list, also for another suite than trixie if that one is incomplete.
"""

import argparse
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
SUITE = "trixie"
TRIPLETS = {"arm64": "aarch64-linux-gnu", "s390x": "s390x-linux-gnu"}
# As Debian's package of qemu and that of GitHub's runners call them.
EMULATORS = {"arm64": "qemu-aarch64", "s390x": "qemu-s390x"}
BINARY_FORMATS = Path("/proc/sys/fs/binfmt_misc")
DESCRIPTIONS = Path("/usr/lib/binfmt.d")
# Of Python, and of what tests ask for.
PACKAGES = (
    "python3 python3-dev python3-charset-normalizer python3-hypothesis python3-numpy "
    "python3-pytest python3-safetensors python3-scipy python3-tqdm python3-yaml python3-zstandard"
).split()
# Where Debian's alternatives would put the libraries of NumPy: nothing is configured here, since
# scripts of packages take long when they are emulated.
LIBRARIES = ("blas", "lapack")
# Text, model files, lattices and what decodes them, and whether models that are trained there have
# the bytes of those that were trained on x86-64; the rest is Python or is built upon these.
TESTS = (
    "tests/kernels tests/rules tests/base tests/model tests/ngram tests/crf tests/hostile "
    "tests/training/test_same_everywhere.py"
).split()
PLACE = "opt/truecase"


def debian(arch: str, root: Path, mirror: str | None) -> None:
    """Unpack a Debian with Python into a folder, all of it or nothing."""
    if root.exists():
        return
    # Half a Debian, as it is left when a mirror fails, is refused by the next run of mmdebstrap.
    part = root.with_name(f"{root.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    command = ["mmdebstrap", "--variant=extract", f"--architectures={arch}"]
    command += [f"--include={','.join(PACKAGES)}", SUITE, str(part)]
    subprocess.run([*command, mirror] if mirror else command, check=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (part / "usr" / name).mkdir(exist_ok=True)
        if not (part / name).exists():
            (part / name).symlink_to(f"usr/{name}")
    part.rename(root)


def emulate(arch: str, formats: Path = BINARY_FORMATS, described: Path = DESCRIPTIONS) -> None:
    """Tell the kernel who runs programs of a processor, as systemd does where there is one."""
    register, name = formats / "register", EMULATORS[arch]
    if not register.exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", str(formats)], check=True)
    if not (formats / name).exists():
        register.write_bytes((described / f"{name}.conf").read_bytes().strip())


def compile_modules(arch: str, root: Path, cython: Path, out: Path) -> None:
    """Compile all modules for the Python of a folder."""
    triplet = TRIPLETS[arch]
    include = next((root / "usr/include").glob("python3.*"))
    number = include.name.removeprefix("python").replace(".", "")
    setup = runpy.run_path("setup.py", run_name="setup")
    compiler = [f"{triplet}-gcc", "-shared", "-fPIC", "-DNDEBUG", "-fwrapv", "-w"]
    # Headers of that Debian's C library come last: the compiler brings its own.
    compiler += [f"-I{include}", "-idirafter", str(root / "usr/include"), f"-I{setup['GENERATED']}"]
    extensions = [*setup["extensions"](), *setup["extensions"](for_tests=True)]
    for place, extension in enumerate(extensions, 1):
        path = Path(*extension.name.split("."))
        module = out / path.with_name(f"{path.name}.cpython-{number}-{triplet}.so")
        source = cython / Path(extension.sources[0]).with_suffix(".c")
        if module.exists() and module.stat().st_mtime > source.stat().st_mtime:
            continue
        print(f"[{place}/{len(extensions)}] {module.name}", flush=True)
        module.parent.mkdir(parents=True, exist_ok=True)
        flags = [*extension.extra_compile_args, str(source), *extension.extra_link_args]
        subprocess.run([*compiler, *flags, "-o", str(module)], check=True)


def copy_sources(root: Path) -> Path:
    """Copy package and tests, without what is compiled for this machine."""
    place = root / PLACE
    unwanted = shutil.ignore_patterns("__pycache__", "*.so", "*.pyx", "*.c")
    for name in ("truecase", "tests", "tools", "pyproject.toml"):
        source, copy = CHECKOUT / name, place / name
        if source.is_dir():
            shutil.copytree(source, copy, ignore=unwanted, dirs_exist_ok=True)
        else:
            shutil.copy2(source, copy)
    return place


def run_tests(arch: str, root: Path, arguments: list[str]) -> int:
    """Run tests in the folder, emulated."""
    shared = [f"/usr/lib/{TRIPLETS[arch]}/{name}" for name in LIBRARIES]
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/bin",
        "HOME": "/tmp",
        "LC_ALL": "C.UTF-8",
        "LD_LIBRARY_PATH": ":".join(shared),
        "OPENBLAS_NUM_THREADS": "1",
        "TRUECASE_PATIENCE": "12",
        "PYTHONPATH": f"/{PLACE}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = ["chroot", str(root), "/usr/bin/python3", "-m", "pytest", "--rootdir", f"/{PLACE}"]
    command += arguments or ["-q", "-m", "not slow", *(f"/{PLACE}/{name}" for name in TESTS)]
    return subprocess.run(command, env=environment, check=False).returncode


def options(argv: list[str]) -> argparse.Namespace:
    """What was asked for; what stands behind ``--`` goes to pytest."""
    # argparse takes what may be nothing to be nothing when an option comes before it.
    end = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("arch", choices=TRIPLETS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mirror", metavar="URL", help="default: that of mmdebstrap")
    found = parser.parse_args(argv[:end])
    found.arguments = argv[end + 1 :]
    return found


def main() -> int:
    args = options(sys.argv[1:])
    for program in ("mmdebstrap", f"{TRIPLETS[args.arch]}-gcc"):
        if shutil.which(program) is None:
            sys.exit(f"foreign.py: there is no {program}; --help names the packages it needs")
    os.chdir(CHECKOUT)
    root = args.folder.resolve()
    debian(args.arch, root, args.mirror)
    emulate(args.arch)
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--cython-only"]
    for command in (build, [*build, "--for-tests"]):
        subprocess.run(command, check=True, env={**os.environ, "TRUECASE_BUILD": "release"})
    place = copy_sources(root)
    compile_modules(args.arch, root, Path("build/release/cython"), place)
    return run_tests(args.arch, root, args.arguments)


if __name__ == "__main__":
    sys.exit(main())
