"""A Ray of two processors on this machine; `make test-cluster` sets it up."""

import pytest

ray = pytest.importorskip("ray", reason="tests with Ray are run by make test-cluster")
pytest.importorskip("ray.data", reason="tests with Ray are run by make test-cluster")


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/ray/" in item.path.as_posix():
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def ray_here():
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()
