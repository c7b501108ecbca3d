"""XLIFF 1 and 2: which targets are cased, with which source, and which are left alone."""

import pytest

from truecase.errors import FormatError
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document

NAMESPACES = (
    'xmlns="urn:oasis:names:tc:xliff:document:1.2" '
    'xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0" xmlns:m="http://example.org/memo"'
)


def xliff1(*units, version="1.2", languages='source-language="fr" target-language="en"'):
    body = "\n".join(units)
    return (
        f'<?xml version="1.0"?>\n<xliff version="{version}" {NAMESPACES}>\n'
        f'<file original="x" datatype="plaintext" {languages}><header><note>note</note></header>'
        f"<body>\n{body}\n</body></file></xliff>"
    )


def unit1(target, source="Source", attributes="", more=""):
    return (
        f'<trans-unit id="1" {attributes}><source>{source}</source>{target}'
        f"<note>a note</note>{more}</trans-unit>"
    )


def xliff2(*units, version="2.0", attributes='srcLang="fr" trgLang="en"', file=""):
    body = "\n".join(units)
    return (
        f'<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="{version}" {attributes}\n'
        f'xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"><file id="f" {file}>\n{body}\n'
        "</file></xliff>"
    )


def segment(target, source="Source", attributes=""):
    return f"<segment {attributes}><source>{source}</source><target>{target}</target></segment>"


def unit2(*segments, attributes="", before=""):
    return f'<unit id="u" {attributes}>{before}{"".join(segments)}</unit>'


class TestVersion1:
    @pytest.mark.parametrize("version", ["1.0", "1.1", "1.2"])
    @pytest.mark.parametrize(
        ("target", "expected"),
        [
            ("a <g id='1'>b<x id='2'/>c</g> d", "A <g id='1'>B<x id='2'/>C</g> D"),
            ("a<bx id='1'/>b<ex id='1'/>c", "A<bx id='1'/>B<ex id='1'/>C"),
            ("<bpt id='1'>b</bpt>a<ept id='1'>b</ept>", "<bpt id='1'>b</bpt>A<ept id='1'>b</ept>"),
            ("a<ph id='1'>code</ph><it id='2' pos='open'>i</it>b", None),
            ("a <mrk mtype='protected'>b</mrk> c", "A <mrk mtype='protected'>b</mrk> C"),
            ("a <mrk mtype='term'>b</mrk> c", "A <mrk mtype='term'>B</mrk> C"),
            ("a &amp; &#233; <![CDATA[b]]>", "A &amp; &#201; <![CDATA[B]]>"),
        ],
    )
    def test_inline(self, cased, version, target, expected):
        if expected is None:
            expected = target.replace("a<ph", "A<ph").replace(">b", ">B")
        data = xliff1(unit1(f"<target>{target}</target>"), version=version)
        wanted = xliff1(unit1(f"<target>{expected}</target>"), version=version)
        assert cased(data) == wanted

    def test_what_the_model_sees(self, lines_of):
        target = (
            "<target>new <g id='1'>yo</g>rk<x id='2' ctype='lb'/>is <x id='3' "
            "equiv-text='%s'/> <mrk mtype='protected'>far</mrk></target>"
        )
        assert lines_of(xliff1(unit1(target, "<g id='1'>X</g>&lt;")), with_source=True) == [
            ("X<", "new york is 3,000 far")
        ]

    def test_sentences(self, cased, lines_of):
        target = (
            '<seg-source><g id="1"><mrk mtype="seg" mid="a">Un.</mrk> <mrk mtype="seg" mid="b">'
            'Deux.</mrk></g></seg-source><target>out <g id="1"><mrk mtype="seg" mid="b">two '
            '<mrk mtype="x-sdl-comment">too</mrk>.</mrk> between <mrk mtype="seg" mid="a">one.'
            '</mrk></g><mrk mid="c" mtype="seg"/></target>'
        )
        data = xliff1(unit1(target, "Un. Deux."))
        assert cased(data) == data.replace("two ", "TWO ").replace(">too<", ">TOO<").replace(
            "one.", "ONE."
        )
        assert lines_of(data, with_source=True) == [("Deux.", "two too."), ("Un.", "one.")]

    def test_sentences_without_their_sources(self, lines_of):
        target = (
            '<target><mrk mtype="seg" mid="1">a.</mrk><mrk mtype="seg" mid="2">b.</mrk></target>'
        )
        assert lines_of(xliff1(unit1(target, "S")), with_source=True) == [("S", "a."), ("S", "b.")]

    def test_other_people_s_targets(self, cased):
        more = (
            '<alt-trans><source>x</source><target>alt</target><seg-source><mrk mtype="seg" mid="1">'
            'y</mrk></seg-source><target><mrk mtype="seg" mid="1">z</mrk></target></alt-trans>'
        )
        data = xliff1(
            unit1("<target>a</target>", more=more),
            '<bin-unit id="2" mime-type="x"><bin-source/><bin-target>bin</bin-target></bin-unit>',
            '<x:o xmlns:x="urn:x"><x:trans-unit><x:target>foreign</x:target></x:trans-unit></x:o>',
        )
        assert cased(data) == data.replace("<target>a<", "<target>A<")

    def test_not_to_be_translated(self, cased):
        data = xliff1(
            unit1("<target>no</target>", attributes='translate="no"'),
            '<group translate="no">',
            unit1("<target>no</target>"),
            unit1("<target>yes</target>", attributes='translate="yes"'),
            "</group>",
            unit1("<target>yes</target>"),
        )
        assert cased(data) == data.replace(">yes<", ">YES<")
        segments = read_document(data.encode(), "f").segments
        assert segments.reasons() == {"not to be translated": 2}

    @pytest.mark.parametrize(
        ("reason", "unit"),
        [
            ("final", unit1('<target state="final">a</target>')),
            ("final", unit1('<target state="signed-off">a</target>')),
            ("final", unit1("<target>a</target>", attributes='approved="yes"')),
            ("locked", unit1("<target>a</target>", attributes='m:locked="true"')),
            ("locked", unit1("<target>a</target>", attributes='m:locked="locked" approved="yes"')),
            (
                "locked",
                unit1(
                    '<target><mrk mtype="seg" mid="7">a</mrk></target>',
                    more='<sdl:seg-defs><sdl:seg id="7" locked="true"/></sdl:seg-defs>',
                ),
            ),
            (
                "final",
                unit1(
                    '<target><mrk mtype="seg" mid="7">a</mrk></target>',
                    more='<sdl:seg-defs><sdl:seg id="7" conf="ApprovedSignOff"/></sdl:seg-defs>',
                ),
            ),
        ],
    )
    def test_final_and_locked(self, cased, reason, unit):
        data = xliff1(unit, unit1("<target>b</target>"))
        others = data.replace(">b<", ">B<")
        assert cased(data) == others
        assert read_document(data.encode(), "f").segments.reasons() == {reason: 1}
        assert cased(data, leave=()) == others.replace(">a<", ">A<")
        left = {"final": "locked", "locked": "final"}[reason]
        if "approved" not in unit or "locked" not in unit:
            assert cased(data, leave=[left]) == others.replace(">a<", ">A<")

    def test_other_states_are_cased(self, cased):
        data = xliff1(unit1('<target state="translated">a</target>', attributes='approved="no"'))
        assert cased(data) == data.replace(">a<", ">A<")

    def test_no_target(self, cased):
        data = xliff1(unit1(""), unit1("<target/>"), unit1("<target></target>"))
        assert cased(data) == data
        assert read_document(data.encode(), "f").segments.reasons() == {"without a target": 3}

    def test_files_of_several_languages(self, cased):
        german = xliff1(unit1("<target>c</target>"), languages='target-language="de"')
        body = german[german.index("<file") : german.index("</xliff>")]
        data = xliff1(unit1("<target>a</target>")).replace("</xliff>", body + "</xliff>")
        with pytest.raises(FormatError, match="is translated to en, de: give the target"):
            cased(data)
        assert cased(data, target="de") == data.replace(">c<", ">C<")
        assert cased(data, target="en", source="FR") == data.replace(">a<", ">A<")
        with pytest.raises(FormatError, match="to pt; there is fr to en, unknown to de"):
            cased(data, target="pt")

    def test_languages_are_told(self):
        document = read_document(xliff1().encode(), "f")
        assert (document.format, document.languages) == ("XLIFF 1.2", Languages("fr", "en"))


class TestVersion2:
    @pytest.mark.parametrize("version", ["2.0", "2.1"])
    @pytest.mark.parametrize(
        ("target", "expected"),
        [
            ("a <pc id='1'>b<ph id='2'/></pc>c", "A <pc id='1'>B<ph id='2'/></pc>C"),
            ("a<sc id='1'/>b<ec startRef='1'/><cp hex='001A'/>c", None),
            ("<mrk id='m' translate='no'>a</mrk>b", "<mrk id='m' translate='no'>a</mrk>B"),
            (
                "<mrk id='m' translate='no'>a<mrk id='n' translate='yes'>b</mrk></mrk>c",
                "<mrk id='m' translate='no'>a<mrk id='n' translate='yes'>B</mrk></mrk>C",
            ),
            (
                "a<sm id='m' translate='no'/>b<pc id='1'>c</pc>d<em startRef='m'/>e",
                "A<sm id='m' translate='no'/>b<pc id='1'>c</pc>d<em startRef='m'/>E",
            ),
        ],
    )
    def test_inline(self, cased, version, target, expected):
        if expected is None:
            expected = target.replace("a<", "A<").replace(">b", ">B").replace(">c", ">C")
        data = xliff2(unit2(segment(target)), version=version)
        assert cased(data) == xliff2(unit2(segment(expected)), version=version)

    def test_sources_and_matches(self, cased, lines_of):
        matches = (
            '<mtc:matches><mtc:match ref="#1"><source>match</source><target>match</target>'
            "</mtc:match></mtc:matches><originalData><data id='d'>data</data></originalData>"
            "<notes><note>note</note></notes>"
        )
        data = xliff2(
            unit2(
                segment("one", "Un"),
                "<ignorable><source> x </source><target> x </target></ignorable>",
                segment("two <ph id='1' disp='{n}'/>", "Deux <ph id='1' disp='{n}'/>"),
                before=matches,
            )
        )
        assert cased(data) == data.replace(">one<", ">ONE<").replace(">two", ">TWO")
        assert lines_of(data, with_source=True) == [("Un", "one"), ("Deux 3,000", "two 3,000")]

    def test_left_alone(self, cased):
        data = xliff2(
            unit2(segment("no"), attributes='translate="no"'),
            '<group id="g" translate="no">' + unit2(segment("no")),
            unit2(segment("yes"), attributes='translate="yes"') + "</group>",
            unit2(segment("end", attributes='state="final"'), segment("yes")),
            unit2("<segment><source>x</source></segment>"),
        )
        assert cased(data) == data.replace(">yes<", ">YES<")
        assert read_document(data.encode(), "f").segments.reasons() == {
            "not to be translated": 2,
            "final": 1,
            "without a target": 1,
        }
        included = cased(data, leave=())
        assert included == data.replace(">yes<", ">YES<").replace(">end<", ">END<")

    def test_translate_of_the_file(self, cased):
        data = xliff2(unit2(segment("no")), file='translate="no"')
        assert cased(data) == data

    def test_language(self, cased):
        with pytest.raises(FormatError, match="to de; there is fr to en"):
            cased(xliff2(), target="de")
        assert cased(xliff2(attributes=""), target="de") == xliff2(attributes="")


def test_prefixed_elements(cased):
    data = (
        '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><x:file><x:body>'
        "<x:trans-unit id='1'><x:source>s</x:source><x:target>a<x:ph id='1'>b</x:ph></x:target>"
        "</x:trans-unit></x:body></x:file></x:xliff>"
    )
    assert cased(data) == data.replace(">a<", ">A<")


def test_versions(cased):
    for version in ("3.0", "x", "12"):
        with pytest.raises(FormatError, match=r"^file: line 2: XLIFF version '.*': expected 1\.0"):
            cased(xliff1(version=version))


def test_no_version(cased):
    data = xliff1(unit1("<target>a</target>")).replace(' version="1.2"', "")
    assert cased(data) == data.replace(">a<", ">A<")
    data = xliff2(unit2(segment("a"))).replace(' version="2.0"', "")
    assert cased(data) == data.replace(">a<", ">A<")


def test_the_format_that_was_asked_for(cased):
    with pytest.raises(FormatError, match="line 2: the file is <xliff>, expected one of <tmx>"):
        cased(xliff1(), format="tmx")
    with pytest.raises(FormatError, match="line 1: expected gettext PO"):
        cased(xliff1(), format="po")
    with pytest.raises(FormatError, match="line 1: expected XML"):
        cased('msgid "a"\nmsgstr "b"\n', format="xliff")
