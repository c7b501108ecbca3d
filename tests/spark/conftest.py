"""A Spark of two executors, which are processes of their own; `make test-spark` sets it up."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="tests with Spark are run by make test-spark")


def java_version():
    """Of the Java that Spark would start, 0 if there is none."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(Path(home, "bin", "java") if home else "java")
    if java is None:
        return 0
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0


def pytest_collection_modifyitems(items):
    here = [item for item in items if "tests/spark/" in item.path.as_posix()]
    lacks_java = bool(here) and java_version() < 17
    for item in here:
        item.add_marker(pytest.mark.slow)
        if lacks_java:
            item.add_marker(
                pytest.mark.skip(reason="no Java of version 17 or later: make test-spark says more")
            )


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    place = tmp_path_factory.mktemp("spark")
    # Executors of local-cluster run in folders below this one.
    os.environ.update(
        SPARK_LOCAL_IP="127.0.0.1",
        SPARK_WORKER_DIR=str(place / "executors"),
        PYSPARK_PYTHON=sys.executable,
    )
    quick = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.driver.memory", "512m")
        .config("spark.driver.extraJavaOptions", quick)
        .config("spark.executor.extraJavaOptions", quick)
        .config("spark.local.dir", str(place / "local"))
        .config("spark.sql.warehouse.dir", str(place / "warehouse"))
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(params=["expression", "frame"])
def way(request):
    """How columns are cased; expressions need what PySpark 4.0 lacks."""
    from pyspark.sql import functions

    if request.param == "expression" and not hasattr(functions, "arrow_udf"):
        pytest.skip("expressions need PySpark 4.1")
    return request.param


@pytest.fixture
def with_cased(way):
    """A frame with a column cased in its place, in that way."""
    from truecase.integrations.spark import case_frame, truecased

    def cased(frame, column, *model, **options):
        if way == "frame":
            return case_frame(frame, column, *model, **options)
        return frame.withColumn(column, truecased(column, *model, **options))

    return cased


@pytest.fixture
def python_of_workers(spark, tmp_path, monkeypatch):
    """Let workers run another Python from now on: one that has done something at its start."""

    def use(start_up):
        (tmp_path / "sitecustomize.py").write_text(start_up)
        python = tmp_path / "python"
        python.write_text(
            f'#!/bin/sh\nPYTHONPATH="{tmp_path}:$PYTHONPATH" exec "{sys.executable}" "$@"\n'
        )
        python.chmod(0o755)
        monkeypatch.setattr(spark.sparkContext, "pythonExec", str(python))

    return use
