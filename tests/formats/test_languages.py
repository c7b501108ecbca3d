"""The language that a file or its path says, and what it means for the file."""

import pytest

import truecase
from truecase.errors import FormatError
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages, language_of_path
from truecase.formats.registry import read_document
from truecase.model.embedded import language_code


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("app/res/values-fr/strings.xml", "fr"), ("res/values-pt-rBR/strings.xml", "pt"),
        ("values-b+sr+Latn/strings.xml", "sr"), ("values/strings.xml", None),
        ("values-land/strings.xml", None), ("values-v21/styles.xml", None),
        ("Localization/de.lproj/Main.strings", "de"), ("Base.lproj/Main.strings", None),
        ("locale/nl/LC_MESSAGES/app.po", "nl"), ("_locales/pt_BR/messages.json", "pt"),
        ("i18n/sv/common.yml", "sv"), ("locales/fr.json", "fr"), ("fr-CA.json", "fr"),
        ("talk.es.vtt", "es"), ("talk.en.srt", "en"), ("lib/l10n/app_tr.arb", "tr"),
        ("film.fr.forced.srt", "fr"), ("film.pt-BR.sdh.vtt", "pt"), ("Film.Swedish.srt", None),
        ("film.ger.cc.ass", None), ("film.the.end.srt", None), ("film.forced.srt", None),
        ("film.fre.json", None), ("talk.srt", None), ("notes.md", None), ("qq.json", None),
        ("it", None), ("data/sv.i18n.json", "sv"), ("film_fr.srt", None), ("film_no.srt", None),
        ("it.po", "it"), ("is.strings", "is"), ("it.md", None), ("a/is.srt", None), ("pa.in", None),
        ("ios/zh-hant.lproj/a.strings", "zh"), ("Languages/Spanish.json", None),
        ("my_it.json", None), (r"C:\app\values-uk\strings.xml", "uk"), ("standard input", None),
    ],
)  # fmt: skip
def test_languages_of_paths(path, code):
    assert language_of_path(path) == code


FRENCH = "nous sommes dans la rue avec marie"


@pytest.mark.parametrize(
    "path",
    [
        "film_fr.srt", "film-fr.sdh.vtt", "film (fr).srt", "film_French.srt", "film-fre.sbv",
        "Film.French.SDH.srt", "film.fre.cc.ass", "docs/fr/index.md",
        "content/fr-CA/a.md", "site/translations/fr/a.html", "README_fr.md",
        "fr.md", "languages/French.json", "lang/french.yml", "subs/fr.srt", "fr-CA.html",
        r"Strings\fr-FR\Resources.resw", "store/shop/fr/copy.resx",
    ],
)  # fmt: skip
def test_names_that_need_the_text(path):
    assert language_of_path(path) is None
    assert language_of_path(path, FRENCH) == language_of_path(path, "paris") == "fr"
    english = "we went home and that was the end of it"
    assert language_of_path(path, english) is None
    assert language_of_path(path.replace("fr", "it"), english) is None
    assert language_of_path(path.replace("fr", "ja"), english) is None


@pytest.mark.parametrize("key", ["fr", "fr-CA", "fr_FR"])
def test_the_only_key_of_a_catalogue(key):
    rails, flat = f"{key}:\n  a: {FRENCH}\n", f"{key}: {FRENCH}\n"
    pair = f'{{"{key}": {{"a": "paris"}}}}'
    assert read_document(rails.encode(), "en.yml").languages.target == "fr"
    assert read_document(pair.encode(), "a.json").languages.target == "fr"
    assert read_document(flat.encode(), "a.yml").languages.target is None
    assert read_document(b"title:\n  a: paris\n", "a.yml").languages.target is None


def test_languages_by_name_and_tag():
    names = ["German", "ngerman", "de-AT", "pt_BR", "portuguese", "{french}", "", "hun", "sl"]
    assert list(map(language_code, names)) == ["de", "de", "de", "pt", "pt", "fr", "", "hu", "sl"]
    assert not any(map(language_code, ["auto", "Unknown", "und", " ", "mul", "None"]))


@pytest.mark.parametrize("code", ["auto", "unknown", "und", ""])
def test_a_file_in_an_unknown_language_says_none(code, tmp_path):
    path, out = tmp_path / "a.json", tmp_path / "out.json"
    said = f'{{"language": "{code}", "segments": [{{"text": " in london", "start": 0, "end": 1}}]}}'
    path.write_text(said)
    truecase.case_file(path, out)
    assert out.read_text() == said.replace("in london", "In London")
    captions = f"WEBVTT\nLanguage: {code}\n\n00:01.000 --> 00:02.000\nin london\n".encode()
    assert read_document(captions, "a.vtt").languages == Languages()
    assert read_document(captions, "a.fr.vtt").languages.target == "fr"


SAID = {
    "a.vtt": "WEBVTT\nKind: captions\nLanguage: sv\n\n00:01.000 --> 00:02.000\nrör dig upp\n",
    "b.json": '{"language": "portuguese", "segments": [{"text": " olá", "start": 0, "end": 1}]}',
    "c.json": '{"result": {"language": "pt"}, "transcription": [{"text": " olá"}]}',
    "d.html": '<!DOCTYPE html><html class="x" lang="fr-FR"><body><p>bonjour paris</p></html>',
    "e.ttml": '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="es"><body><div>'
    '<p begin="0s" end="1s">hola madrid</p></div></body></tt>',
    "n.vtt": "WEBVTT\nLanguage: gsw\n\n00:01.000 --> 00:02.000\ngrüezi\n",
    "o.html": '<html lang="fil"><p>kumusta maynila</p></html>',
    "f.html": '<html><body class="b" lang="nl"><p>dag parijs</p></body></html>',
    "g.html": '<html><head><meta http-equiv="Content-Language" content="it"></head>'
    "<body><p>ciao roma</p></body></html>",
    "h.ttml": '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang=""><body><div xml:lang="es-MX">'
    '<p begin="0s" end="1s">hola madrid</p></div></body></tt>',
    "i.vtt": "WEBVTT Kind: captions; Language: da\n\n00:01.000 --> 00:02.000\nhej\n",
    "j.lrc": "[ar: x]\n[la: fr]\n[00:01.00]bonjour paris\n",
    "k.arb": '{"@@locale": "tr", "a": "merhaba ankara"}',
    "p.json": '{"title": "bonjour", "locale": "fr-CA", "a": "au revoir paris"}',
    "s.json": '{"title": "hej", "cultureName": "sv-SE", "a": "god kväll"}',
    "q.xml": '<resources xmlns:tools="t" tools:locale="it"><string name="a">ciao</string>'
    "</resources>",
    "r.ass": "[Script Info]\nLanguage: pt\n\n[Events]\nFormat: Start, End, Text\n"
    "Dialogue: 0:00:01.00,0:00:02.00,olá\n",
    "l.md": "---\ntitle: a\nlang: pl-PL\n---\n\ndzień dobry\n",
    "m.json": '{"info": {"language": "pt"}, "segments": [{"text": " olá", "start": 0, "end": 1}]}',
    "values-it/strings.xml": '<resources><string name="a">ciao roma</string></resources>',
}


@pytest.mark.parametrize("name", SAID)
def test_a_file_that_says_another_language_stays(name, tmp_path):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(SAID[name], encoding="utf-8")
    document = read_document(path.read_bytes(), str(path))
    said = document.languages.target
    assert said is not None
    with pytest.raises(FormatError, match=f"trained for en, the targets are in {said}"):
        truecase.case_file(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.warns(UserWarning, match="trained for en"):
        truecase.case_file(path, tmp_path / "out", target_language=said)


def test_a_header_ends_at_a_blank_line():
    cue = b"00:01.000 --> 00:02.000\nLanguage: sv\n"
    for header in (b"WEBVTT\n\n", b"WEBVTT - talk\nKind: captions\n\n"):
        assert read_document(header + cue, "a.vtt").languages == Languages()
    document = read_document(b"\xef\xbb\xbfWEBVTT\r\nLanguage: de-DE\r\n\r\n" + cue, "a.vtt")
    assert document.languages.target == "de-DE"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "---\ntitle: a\nlanguage: python\n---\n\nin london\n"),
        ("a.md", "in london\n\n---\nlang: fr\n---\n"),
        ("a.html", '<html data-lang="fr"><p hreflang="fr">in london</p></html>'),
        ("a.lrc", "[00:01.00]in london\n[la: fr]\n"),
        ("a.json", '{"language": "French", "lang": "the language", "locale": {"a": "in london"}}'),
        ("a.ass", "[Script Info]\nLanguage: none\n[Events]\nFormat: Start, End, Text\n"),
    ],
)
def test_what_says_no_language(name, text):
    assert read_document(text.encode(), name).languages.target is None


def test_parts_of_a_page_in_another_language_stay(cased):
    page = (
        '<html lang="en"><p>one <i lang="fr">deux</i> three</p>'
        '<div lang="de"><p>vier</p></div><p lang="en-GB">five</p></html>'
    )
    assert cased(page) == (
        '<html lang="en"><p>ONE <i lang="fr">deux</i> THREE</p>'
        '<div lang="de"><p>vier</p></div><p lang="en-GB">FIVE</p></html>'
    )
    assert cased(page.replace('lang="en"', "")).count("DEUX") == 1


def test_another_target_than_the_file_says_is_refused():
    options = ReadOptions(Languages(None, "en"))
    with pytest.raises(FormatError, match="no segment is in the language 'en'; there are sv"):
        read_document(SAID["a.vtt"].encode(), "a.vtt", options=options)


def test_an_output_named_as_another_format_is_refused(tmp_path):
    given = tmp_path / "talk.srt"
    given.write_text("1\n00:00:05,000 --> 00:00:07,000\nwe sail from oslo\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"talk\.vtt: named as vtt, but the file stays SubRip"):
        truecase.case_file(given, tmp_path / "talk.vtt")
    assert not (tmp_path / "talk.vtt").exists()
    truecase.case_file(given, tmp_path / "talk.cased")
    assert "We sail from Oslo" in (tmp_path / "talk.cased").read_text(encoding="utf-8")
