"""`truecase apply --restore-sharp-s`: the same bytes as from Python."""

import pytest
from recipes import estimated

from truecase import Truecaser, restore_sharp_s

TEXT = "Die Straße ist groß . Der Fluss fließt , dass es Spaß macht . Die Masse .\n" * 8
CAPITALS = "DIE STRASSE IST GROSS .\nDER FLUSS FLIESST , DASS ES SPASS MACHT .\n"


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    path = tmp_path_factory.mktemp("german") / "de.truecase"
    estimated(TEXT.encode(), language="de", min_count=1).save(path)
    return path


def test_like_python(truecase, german):
    model = Truecaser.load(german)
    restored = restore_sharp_s(CAPITALS, model)
    done = truecase("apply", "-m", german, "--restore-sharp-s", text=CAPITALS.encode())
    assert done.stdout.decode() == model(restored)
    assert "Straße" in model(restored) and "Fluss fließt , dass" in model(restored)
    done = truecase("apply", "-m", german, "--restore-sharp-s", "-j", "2", text=CAPITALS.encode())
    assert done.stdout.decode() == model(restored)
    done = truecase(
        "apply", "-m", german, "--restore-sharp-s", "--context", "document", text=CAPITALS.encode()
    )
    assert done.stdout.decode().splitlines() == model.document(restored.splitlines())
    done = truecase("apply", "-m", german, text=CAPITALS.encode())
    assert done.stdout.decode() == model(CAPITALS)
    assert "ß" not in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 1, "ß is restored by models of German"),
        (["-m", "MOSES"], 2, "--restore-sharp-s: a model of Moses' truecaser does not know it"),
        (["--tags"], 2, "--restore-sharp-s does not go together with --tags"),
        (["--source", "x"], 2, "--restore-sharp-s does not go together with --source"),
        (["--style", "upper"], 2, "--restore-sharp-s: has no effect"),
        (["-l", "auto"], 2, "-l auto does not go together with --restore-sharp-s"),
    ],
)
def test_where_it_has_no_effect(truecase, model, arguments, status, message):
    arguments = [model if argument == "MOSES" else argument for argument in arguments]
    done = truecase("apply", "--restore-sharp-s", *arguments, text=b"STRASSE\n")
    assert (done.returncode, done.stdout) == (status, b"")
    assert message in done.stderr.decode() and done.stderr.count(b"\n") == 1
