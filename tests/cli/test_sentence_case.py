"""`sentence-case` as a command."""

from recipes import estimated

from truecase import SentenceCaser, Truecaser, case_bibliography, sentence_case

TEXT = "The Old Trees Of Paris: A Survey\nBERT in Winter\n"


def test_the_command_does_what_the_function_does(truecase, tmp_path):
    done = truecase("text", "sentence-case", text=TEXT.encode())
    assert done.stderr == b""
    assert done.stdout.decode() == "The old trees of Paris: A survey\nBERT in winter\n"
    assert done.stdout.decode().splitlines() == sentence_case(TEXT.splitlines())
    titles, out = tmp_path / "titles.txt", tmp_path / "out.txt"
    titles.write_bytes(TEXT.encode())
    done = truecase(
        "text", "sentence-case", "-i", titles, "-o", out, "--braces", "--after-colon", "lower"
    )
    assert done.returncode == 0
    assert out.read_bytes() == b"The old trees of {Paris}: a survey\n{BERT} in winter\n"
    caser = SentenceCaser(after_colon="lower", braces=True)
    assert caser.case_block(TEXT.encode()) == out.read_bytes()


def test_other_encodings(truecase):
    text = "The Old Façade Of Paris\n".encode("utf-16")
    done = truecase("text", "sentence-case", text=text)
    assert done.stdout.decode("utf-16") == "The old façade of Paris\n"


def test_models_of_moses_are_refused(truecase, model):
    done = truecase("text", "sentence-case", "-m", model, text=TEXT.encode())
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"use a model of truecase" in done.stderr


def test_a_language_without_rules_of_titles_is_named(truecase, tmp_path):
    model = tmp_path / "es.truecase"
    estimated(b"Gatos viven con Ana .\n" * 40, language="es", min_count=1).save(model)
    for more in ((), ("--quiet",)):
        done = truecase("text", "sentence-case", "-m", model, *more, text=b"Gatos Viven Con Ana\n")
        said = b"truecase: sentence-case: its rules are of English titles, not of es\n"
        assert (done.returncode, done.stderr) == (0, b"" if more else said)


def test_wrong_usage(truecase):
    assert truecase("text", "sentence-case", "--after-colon", "upper").returncode == 2
    assert truecase("text", "sentence-case", "titles.txt", "-i", "titles.txt").returncode == 2
    done = truecase("text", "sentence-case", "-i", "none.txt")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"truecase: none.txt: No such file or directory\n"


def test_names(truecase, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("SemEval\nBERT\n")
    text = b"BERT IN THE OLD TASKS OF SEMEVAL\n"
    assert truecase("text", "sentence-case", "--names", names, text=text).stdout == (
        b"BERT in the old tasks of SemEval\n"
    )
    own = Truecaser.load(names=names)
    assert sentence_case(text.decode(), truecaser=own) == "BERT in the old tasks of SemEval\n"


def test_bibliographies(truecase, tmp_path):
    text = b"@misc{a, title = {The Old Trees of Paris}, note = {An Old Note}}\n"
    bib, out, expected = (tmp_path / name for name in ("refs.bib", "out.bib", "expected.bib"))
    bib.write_bytes(text)
    done = truecase("text", "sentence-case", bib, "-o", out, "--braces")
    assert done.stderr.decode() == f"truecase: {bib}: BibTeX: 1 title, 1 changed\n"
    case_bibliography(bib, expected, braces=True)
    assert out.read_bytes() == expected.read_bytes()
    assert b"{The old trees of {Paris}}, note = {An Old Note}" in out.read_bytes()
    done = truecase("text", "sentence-case", "-q", "--format", "bibtex", text=text)
    assert (done.stdout, done.stderr) == (text.replace(b"Old Trees", b"old trees"), b"")
    done = truecase("text", "sentence-case", "-q", "--format", "lines", bib)
    assert done.stdout.startswith(b"@misc{a, title = {The Old")
    bib.write_bytes(text + b"@misc{b,")
    done = truecase("text", "sentence-case", bib, "-o", out)
    assert (done.returncode, out.read_bytes()) == (1, expected.read_bytes())
    assert done.stderr.decode() == (
        f"truecase: {bib}: line 2: broken BibTeX: the entry that begins here does not end\n"
    )
    done = truecase("file", bib)
    assert (done.returncode, b"truecase text sentence-case" in done.stderr) == (1, True)


def test_files_of_other_formats_are_refused(truecase, tmp_path):
    for name, what in (("a.srt", "is SubRip"), ("a.csv", "is a table, which is not read")):
        (tmp_path / name).write_bytes(b"The Old Trees\n")
        done = truecase("text", "sentence-case", tmp_path / name)
        assert (done.returncode, done.stdout, what in done.stderr.decode()) == (1, b"", True)
        done = truecase("text", "sentence-case", "--format", "lines", tmp_path / name)
        assert done.stdout == b"The old trees\n"


def test_options_that_bibliographies_do_not_have(truecase):
    for options in (("csl", "--braces"), ("bibtex", "--line-buffered")):
        done = truecase("text", "sentence-case", "--format", *options, text=b"")
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(f"truecase: {options[1]}: ".encode())
