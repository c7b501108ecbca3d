"""Files that have their case are proofread: fragments, titles and capitals stay."""

import random

import pytest

from truecase import MultilingualTruecaser, Truecaser, case_file
from truecase.cli import main
from truecase.truecaser.agreed_names import with_agreed_names

PROSE = [
    "The ferry to Holyhead left an hour late, and nobody on board knew the reason.",
    "We waited in the hall of the station, where Mary bought tea for all of us.",
    "When the doors opened, a man from the Harbour Office read out a list of names.",
    "It took the rest of the day to find the two boxes that had been left in Dublin.",
    "Later that week, the owner of the boat wrote a letter to the editor of the paper.",
    "No answer came before the end of March, so we went there and asked for it.",
    "The clerk was kind to us, but she had never heard of the boat or of its owner.",
]
UNITS = ["several tools for the garden", "The Old Port Office", "CLOSED ON SUNDAYS"]


def cased(tmp_path, units, name="notes.md", **options):
    source = tmp_path / name
    source.write_text("\n\n".join(units) + "\n")
    case_file(source, tmp_path / "out.md", **options)
    return (tmp_path / "out.md").read_text().rstrip("\n").split("\n\n")


def test_a_file_that_has_its_case_is_proofread(tmp_path):
    slip = "We were back in london by the end of the week."
    out = cased(tmp_path, [*PROSE, *UNITS, slip])
    assert out == [*PROSE, *UNITS, slip.replace("london", "London")]


def test_stressed_words_and_unknown_acronyms_stay(tmp_path):
    units = ["The engine DOES NOT store the answers, and it IS slow.", "We read the CQRS pattern."]
    assert cased(tmp_path, [*PROSE, *units]) == [*PROSE, *units]


def test_words_in_capitals_that_a_file_repeats_stay(tmp_path):
    units = [
        "The boat is then in the WAITING state. Only a WAITING boat can be called, by the clerk.",
        "WAITING boats keep their lights on, and a boat that is waiting for the tide does so, too.",
        "The list is sent as a CRC32 sum, and the CRC32 sum is kept by the clerk.",
    ]
    assert cased(tmp_path, [*PROSE, *units]) == [*PROSE, *units]
    # Not if they are few beside others, nor if the file has one of them.
    others = ["We are waiting. You are waiting. They were waiting for us.", "That was THE boat."]
    out = cased(tmp_path, [*PROSE, *units[:2], *others])
    assert "in the waiting state" in out[-4]
    assert out[-1] == "That was the boat."


@pytest.mark.parametrize("word", ["ACGT", "acgt"])
def test_words_too_long_for_a_name_stay(tmp_path, word):
    unit = f"We read {word * 300} and {word * 300}, and we saw that {word * 300} is long."
    assert cased(tmp_path, [*PROSE, unit])[-1] == unit
    alone = f"we read {word * 300}.\n{word * 300} is long."
    assert cased(tmp_path, [alone])[0].lower() == alone.lower()


def test_a_name_in_lower_case_throughout_stays():
    lines = [
        "Thank you for qorlan! qorlan is free.",
        "We like qorlan, too.",
        "The team of qorlan is here and we like it.",
        "Dr. qorlan was late.",
    ]
    model = Truecaser.load("en")

    def first_word(lines, input_case):
        agreed = with_agreed_names(model.with_casing(input_case=input_case), ["\n".join(lines)])
        return agreed("qorlan was late.", input_case="ignore").split()[0]

    assert first_word(lines, "proofread") == "qorlan"
    # Not where case says less, nor if it begins another sentence with a capital.
    assert first_word(lines, "evidence") == "Qorlan"
    assert first_word([*lines, "Qorlan is late."], "proofread") == "Qorlan"


def test_a_heading_in_lower_case_decides_nothing_about_a_name(tmp_path):
    uses = ["A cluster of EKZ is made here.", "List each EKZ cluster.", "Remove an EKZ cluster."]
    heads = ["# aws ekz", "# ekz-read", "# docker cp"]
    assert cased(tmp_path, [*PROSE, *uses, *heads]) == [*PROSE, *uses, *heads]


def test_what_is_joined_with_a_name_keeps_its_case(tmp_path):
    units = [
        "The Qorlan was late, and the Qorlan had no lights.",
        "No Qorlan came, so the KORV-Qorlan and the drev-Qorlan were sent.",
    ]
    assert cased(tmp_path, [*PROSE, *units]) == [*PROSE, *units]


def test_short_strings_show_the_case_of_a_file(tmp_path):
    words = [word.capitalize() for line in PROSE[:4] for word in line.split() if word.isalpha()]
    texts = [*words, "UUID", "POI", "Client Certificate", "11:30 PM", "secret"]
    entries = "".join(f'"a{i}" = "{text}";\n' for i, text in enumerate(texts))
    (tmp_path / "a.strings").write_text(entries)
    case_file(tmp_path / "a.strings", tmp_path / "b.strings")
    assert (tmp_path / "b.strings").read_text() == entries
    (tmp_path / "a.strings").write_text(entries.lower())
    case_file(tmp_path / "a.strings", tmp_path / "b.strings")
    assert '"Secret"' in (tmp_path / "b.strings").read_text()


def test_terms_with_a_capital_throughout_stay(tmp_path):
    units = [
        "The Editor of the paper is free to print what You send, and You agree to that.",
        "If You do not, then the Editor, who owns the Letters, sends the Letters back.",
        "You and the Editor may end it, and the Letters are yours. THE EDITOR KEEPS NO LETTERS.",
    ]
    assert cased(tmp_path, [*PROSE, *units]) == [*PROSE, *units]
    # Also if a part of an address, or of a name in code, is in lower case.
    address = "Write to pier(plus)editor(at)desk, or see org.pier.letters first."
    assert cased(tmp_path, [*PROSE, *units, address]) == [*PROSE, *units, address]
    # Not if it stands in lower case, too.
    out = cased(tmp_path, [*PROSE, *units, "We had letters, and you asked for them."])
    assert "and the letters are yours" in out[-2]


DOUBTFUL = ["He plays the Piano.", "We listened to the radio in the Kitchen."]


def slipped(lines, share):
    draw = random.Random(4)
    return [
        " ".join(word.swapcase() if draw.random() < share else word for word in line.split())
        for line in lines
    ]


def test_the_case_of_a_careful_file_is_trusted_more_than_that_of_one_full_of_slips(tmp_path):
    short = cased(tmp_path, [*PROSE, *DOUBTFUL])
    assert short[-2:] == ["He plays the piano.", DOUBTFUL[1]]
    careful = cased(tmp_path, [*PROSE * 30, *DOUBTFUL])
    assert careful == [*PROSE * 30, *DOUBTFUL]
    given = [*slipped(PROSE * 30, 0.08), *DOUBTFUL]
    hasty = cased(tmp_path, given)
    assert hasty[-2:] == ["He plays the piano.", "We listened to the radio in the kitchen."]
    assert cased(tmp_path, given, threads=3) == hasty
    # Odds that are asked for decide, not the file.
    assert cased(tmp_path, given, model=Truecaser.load(min_odds=1.01))[-1] == DOUBTFUL[1]


def trust_in(lines, input_case="proofread"):
    model = Truecaser.load().with_casing(input_case=input_case)
    return with_agreed_names(model, ["\n".join(lines), "\n"]).model.trust


def test_trust_in_a_file_has_bounds_and_falls_with_slips():
    by_share = [trust_in(slipped(PROSE * 60, share)) for share in (0, 0.01, 0.03, 0.3)]
    assert by_share == sorted(by_share, reverse=True)
    assert by_share[0] == 1.0
    assert -2.0 <= by_share[-1] < -1.5
    assert -0.2 < trust_in([]) < 0.2
    # Other ways to read the input do not ask.
    assert trust_in(slipped(PROSE * 60, 0.3), "evidence") == 0


def test_what_changes_alike_in_many_places_counts_once():
    # One word in fifteen.
    assert trust_in([*PROSE * 30, *["He plays the Piano."] * 240]) > 0.5


def test_code_of_docfx_and_handles_stay(tmp_path):
    code = ':::code language="vb" source="./main.vb" id="ButtonHandler":::'
    assert cased(tmp_path, [*PROSE, code]) == [*PROSE, code]
    people = '[{"login": "annalee", "Code": "de", "abbr": "AL", "name": "Anna went home to them"}]'
    (tmp_path / "people.json").write_text(people)
    case_file(tmp_path / "people.json", tmp_path / "out.json", format="json")
    assert (tmp_path / "out.json").read_text() == people


def test_lists_in_lower_case_may_stand_between_sentences(tmp_path):
    units = [*PROSE[:3], "- several tools for the garden\n- a ladder, or two of them, and rope"]
    assert cased(tmp_path, units) == units


def test_a_file_in_several_languages_is_proofread(tmp_path):
    english = Truecaser.load("en")
    both = MultilingualTruecaser({"en": english, "fr-en": Truecaser.load("fr-en")})
    assert cased(tmp_path, [*PROSE, *UNITS], model=both) == [*PROSE, *UNITS]
    out = cased(tmp_path, [*PROSE, *UNITS], model=both.with_casing(input_case="ignore"))
    assert out[-3:] == [english(unit, "ignore") for unit in UNITS]


@pytest.mark.parametrize(
    "prose",
    [
        [line.lower() for line in PROSE],
        [line.upper() for line in PROSE],
        [line.title() for line in PROSE],
        [line[0].lower() + line[1:] for line in PROSE],
        PROSE[:4] + [line.lower() for line in PROSE[4:]],
        PROSE[:1],  # too few words to tell
    ],
)
def test_other_files_are_cased_anew(tmp_path, prose):
    english = Truecaser.load("en")
    out = cased(tmp_path, [*prose, *UNITS])
    assert out[-3:] == [english(unit) for unit in UNITS]


def test_a_given_input_case_decides(tmp_path):
    english = Truecaser.load("en")
    units = [*PROSE, *UNITS]
    out = cased(tmp_path, units, input_case="evidence")
    assert out[-3:] == [english(unit) for unit in UNITS]
    out = cased(tmp_path, units, model=english.with_casing(input_case="ignore"))
    assert out[-3:] == [english(unit, "ignore") for unit in UNITS]


def test_the_command_line_gives_the_same_bytes(tmp_path):
    cased(tmp_path, [*PROSE, *UNITS])
    assert main(["file", "-q", str(tmp_path / "notes.md"), "-o", str(tmp_path / "by.md")]) == 0
    assert (tmp_path / "by.md").read_bytes() == (tmp_path / "out.md").read_bytes()


def test_a_catalogue_without_sources_is_proofread(tmp_path):
    path = tmp_path / "strings.xml"
    texts = [*PROSE, "seconds", "The Old Port Office"]
    strings = [f'<string name="a{i}">{text}</string>' for i, text in enumerate(texts)]
    path.write_text("\n".join(["<resources>", *strings, "</resources>\n"]))
    case_file(path, tmp_path / "out.xml")
    assert (tmp_path / "out.xml").read_text() == path.read_text()


def test_a_few_sources_among_keys_do_not_decide(tmp_path):
    path = tmp_path / "messages.en.xlf"
    texts = [*PROSE, "seconds", "my Harbour"]
    units = [
        f'<trans-unit id="a{i}"><source>label.a{i}</source><target>{text}</target></trans-unit>'
        for i, text in enumerate(texts)
    ]
    units.append('<trans-unit id="b"><source>Yes</source><target>Yes</target></trans-unit>')
    head = '<xliff version="1.2"><file source-language="en" target-language="en"><body>'
    path.write_text("\n".join([head, *units, "</body></file></xliff>\n"]))
    case_file(path, tmp_path / "out.xlf")
    assert (tmp_path / "out.xlf").read_text() == path.read_text()
