"""sdist and wheel: what each holds, and that the sdist makes the wheel.

What the checkout has compiled already is not compiled again: `test_sdist_holds_every_source` says
that it could be. `make wheel` and the releases compile all of it.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from build import ProjectBuilder
from build.env import DefaultIsolatedEnv

CHECKOUT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (CHECKOUT / "setup.py").exists(), reason="the tests are not in a checkout or sdist"
    ),
]


def run(command, cwd=None, extra_environ=None):
    """Run a step of the build."""
    environment = {k: v for k, v in os.environ.items() if k != "TRUECASE_BUILD"}
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**environment, **(extra_environ or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]


def build_both(out):
    """Build the sdist, and from it the wheel, in one environment with what both ask for."""
    with DefaultIsolatedEnv() as environment:
        builder = ProjectBuilder.from_isolated_env(environment, CHECKOUT, run)
        try:
            environment.install(builder.build_system_requires)
            environment.install(builder.get_requires_for_build("sdist"))
        except subprocess.CalledProcessError as error:
            log = f"{error.stdout}{error.stderr}"
            if re.search(r"ConnectionError|NewConnection|Could not find a version", log):
                pytest.skip("offline: a build gets its requirements from the package index")
            raise
        sdist = Path(builder.build("sdist", out))
        shutil.unpack_archive(sdist, out)
        (folder,) = out.glob("*/")
        copy_what_is_compiled(folder)
        builder = ProjectBuilder.from_isolated_env(environment, folder, run)
        return sdist, Path(builder.build("wheel", out))


def copy_what_is_compiled(folder):
    """Copy generated C code and modules to where a build looks for them, as if made tomorrow.

    The build's environment has a Cython of its own, whose files are as new as this minute; all that
    is older is translated and compiled again, which takes some minutes.
    """
    tomorrow = time.time() + 24 * 3600
    for path in (CHECKOUT / "build/release").rglob("*"):
        if path.suffix in (".c", ".h", ".so", ".pyd"):
            copy = folder / path.relative_to(CHECKOUT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            os.utime(copy, (tomorrow, tomorrow))


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """Paths of the sdist and of the wheel that it makes."""
    with pytest.MonkeyPatch.context() as patch:
        # Few of the modules that pip installs are imported.
        patch.setenv("PIP_NO_COMPILE", "1")
        return build_both(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def sdist_names(distributions):
    with tarfile.open(distributions[0]) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def wheel_names(distributions):
    with zipfile.ZipFile(distributions[1]) as archive:
        return set(archive.namelist())


def files(folder, *suffixes):
    found = (CHECKOUT / folder).rglob("*")
    return {
        path.relative_to(CHECKOUT).as_posix()
        for path in found
        if path.suffix in suffixes and "__pycache__" not in path.parts
    }


def test_sdist_holds_every_source(sdist_names):
    assert files("truecase", ".py", ".pyx", ".pxd", ".pyi", ".typed") <= sdist_names
    assert {"setup.py", "pyproject.toml", "MANIFEST.in", "LICENSE", "README.md"} <= sdist_names
    assert "SECURITY.md" in sdist_names


def test_sdist_holds_tests_and_benchmarks(sdist_names):
    assert files("tests", ".py") | files("bench", ".py") <= sdist_names


def test_models_of_languages_are_packages_of_their_own(sdist_names, wheel_names):
    assert [name for name in sdist_names | wheel_names if name.startswith("models")] == []


def test_sdist_holds_nothing_generated(sdist_names):
    generated = re.compile(r"\.(c|so|pyd|o|pyc)$|_case_tables\.h$|(^|/)__pycache__|^build/")
    assert [name for name in sdist_names if generated.search(name)] == []


def test_wheel_holds_modules_stubs_and_models(wheel_names):
    assert "truecase/py.typed" in wheel_names
    assert files("truecase", ".py", ".pyi", ".truecase", ".json", ".md") <= wheel_names
    for source in files("truecase", ".pyx"):
        stem = source[: -len("pyx")]
        assert any(n.startswith(stem) and n.endswith((".so", ".pyd")) for n in wheel_names), source


def test_wheel_lists_what_is_inside(wheel_names):
    listed = [name for name in wheel_names if "/sboms/" in name]
    assert [name.partition(".dist-info/")[2] for name in listed] == ["sboms/truecase-crf.cdx.json"]


def test_wheel_holds_no_sources(wheel_names):
    assert [n for n in wheel_names if n.endswith((".c", ".h", ".pyx", ".pxd"))] == []
    top = {name.partition("/")[0] for name in wheel_names}
    assert {n for n in top if not n.endswith(".dist-info")} == {"truecase"}


def test_versions_agree(distributions):
    written = re.search(r'^version = "(.+)"', (CHECKOUT / "pyproject.toml").read_text(), re.M)[1]
    sdist, wheel = distributions
    assert sdist.name == f"truecase_crf-{written}.tar.gz"
    assert wheel.name.startswith(f"truecase_crf-{written}-")
    changelog = CHECKOUT / "CHANGELOG.md"
    assert f"## [{written}]" in changelog.read_text(encoding="utf-8")


def test_wheel_installs_and_runs_in_a_clean_environment(distributions, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    done = subprocess.run(
        [
            str(scripts / "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-compile",
            str(distributions[1]),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [str(scripts / "truecase"), "--version"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
