"""The command as users run it: a process of its own, with a model that needs no training."""

import commands
import learning_curves
import pytest

MODEL = b"""\
the (90/101) The (10) THE (1)
Anna (7/7)
iPhone (2/3) IPHONE (1)
harbour (5/9) Harbour (4)
"""


@pytest.fixture
def model(tmp_path):
    """A Moses truecase model, which `truecase apply` can use."""
    path = tmp_path / "model.en"
    path.write_bytes(MODEL)
    return str(path)


@pytest.fixture
def truecase(tmp_path):
    """Run the command to its end in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()

    def run(*arguments, text=b"", **options):
        if arguments[:1] == (learning_curves.NAME,):
            command = learning_curves.program(list(map(str, arguments)))
            return commands.run_anew(command, text=text, cwd=folder, **options)
        return commands.run(*arguments, text=text, cwd=folder, **options)

    return run
