"""Wang, Knight & Marcu's examples, with the embedded English model, which knows no French."""

import pytest

CLICK = "click ok to save your changes to /home/doc."
CLIQUEZ = "CLIQUEZ SUR OK POUR ENREGISTRER VOS MODIFICATIONS DANS /HOME/DOC."
LINKS = "0-0 2-1 3-2 4-3 5-4 6-5 7-6 8-7"


@pytest.mark.parametrize("alignment", [LINKS, None])
def test_a_command_in_upper_case(english, alignment):
    assert english(CLICK, source=CLIQUEZ, alignment=alignment) == CLICK.upper()
    assert english(CLICK) == "Click OK to save your changes to /home/doc."


@pytest.mark.parametrize("alignment", [LINKS, None])
def test_a_path_is_cased_as_in_the_source(english, alignment):
    source = "Cliquez sur OK pour enregistrer vos modifications dans /home/DOC."
    assert (
        english(CLICK, source=source, alignment=alignment)
        == "Click OK to save your changes to /home/DOC."
    )


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param(
            "Kit de vérin d'inclinaison hydraulique de la plate-forme",
            "Hydraulic header tilt cylinder kit",
            marks=pytest.mark.xfail(reason="the embedded model takes Kit", strict=True),
        ),
        (
            "KIT DE VÉRIN D'INCLINAISON HYDRAULIQUE DE LA PLATE-FORME",
            "HYDRAULIC HEADER TILT CYLINDER KIT",
        ),
        ("haut-parleur avant droit +", "right front speaker +"),
        ("HAUT-PARLEUR AVANT DROIT +", "RIGHT FRONT SPEAKER +"),
        ("COMMANDES DU SIÈGE, STANDARD", "SEAT CONTROLS, STANDARD"),
        ("Chargement d'une légende sauvegardée", "Loading a saved legend"),
    ],
)
def test_table_1_into_english(english, source, target):
    assert english(target.lower(), source=source) == target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("RIGHT FRONT SPEAKER +", "HAUT-PARLEUR AVANT DROIT +"),
        ("SEAT CONTROLS, STANDARD", "COMMANDES DU SIÈGE, STANDARD"),
        (
            "HYDRAULIC HEADER TILT CYLINDER KIT",
            "KIT DE VÉRIN D'INCLINAISON HYDRAULIQUE DE LA PLATE-FORME",
        ),
    ],
)
def test_table_1_out_of_english(english, source, target):
    assert english(target.lower(), source=source) == target


def test_names_and_products_are_cased_as_in_the_source(english):
    source = "le XyzZy de Mme Kvapil est dans C:\\Temp\\Foo.TXT ou sur http://X.y/Zz"
    target = "the xyzzy of mrs kvapil is in c:\\temp\\foo.txt or at http://x.y/zz"
    out = english(target, source=source)
    for word in ("XyzZy", "Kvapil", "C:\\Temp\\Foo.TXT", "http://X.y/Zz"):
        assert word in out.split()


def test_examples_with_a_trained_model(learned):
    source = "CLIQUEZ AVEC USA POUR VOS MODIFICATIONS DANS /HOME/DOC.TXT ."
    target = "click with us to your changes in /home/doc.txt ."
    links = " ".join(f"{i}-{i}" for i in range(9))
    assert learned(target, source=source, alignment=links) == target.upper()
    out = learned(target, source="Cliquez avec nous pour vos modifications dans /home/DOC.txt .",
                  alignment=links)  # fmt: skip
    assert out == "Click with us to your changes in /home/DOC.txt ."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("腾讯与NBA签署了与苹果有关的协议。", "Tencent and the NBA signed a deal with Apple."),
        ("日本のNATO加盟", "Japan's membership in NATO"),
        ("USA", "United States"),
        ("FAQ", "Frequently asked questions"),
        ("TVA", "Value added tax"),
        ("BIENVENUE", "WELCOME TO OUR SHOP"),
        ("BIENVENUE À TOUS", "WELCOME EVERYBODY"),
    ],
)
def test_an_acronym_is_not_a_source_in_upper_case(english, source, text):
    assert english(text.lower(), source=source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Das qLamp-Werkzeug ist neu.", "The qLamp tool is new."),
        ("Der Open-WXst-Wert ist zu hoch.", "The WXst value is too high."),
        ("Die Video-Karte von Herrn Krzmann", "The video card of Mr Krzmann"),
    ],
)
def test_a_part_of_a_word_with_hyphens_is_a_copy(english, source, text):
    assert english(text.lower(), source=source) == text
