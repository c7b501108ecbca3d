"""Chromium without a window, driven by Playwright; `make test-browser` sets both up."""

import shutil

import pytest

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="tests in a browser are run by make test-browser"
)

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREEN = {"viewport": {"width": 1280, "height": 800}}


def pytest_collection_modifyitems(items):
    here = [item for item in items if "tests/browser/" in item.path.as_posix()]
    for item in here:
        item.add_marker(pytest.mark.slow)
        if CHROMIUM is None:
            item.add_marker(pytest.mark.skip(reason="no Chromium: make test-browser says more"))


@pytest.fixture(scope="session")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def windows(browser):
    """Open a window of a kind on a file; errors of its script fail the test."""
    contexts = []
    errors = []

    def open_window(path, kind):
        contexts.append(browser.new_context(**kind))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto(path.as_uri())
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture(params=[PHONE, SCREEN], ids=["phone", "screen"])
def window_kind(request):
    return request.param
