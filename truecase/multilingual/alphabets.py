"""Letters of languages beyond a to z: the main exemplar characters of CLDR.

A word that a model does not know is less likely in its language if it has other letters.
"""

#: By language; of one that is not here, any letter may be.
ALPHABETS = {
    "az": "çəğıİöşü",
    "ca": "àçèéíïòóúü",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "åæø",
    "de": "äöüß",
    "el": "αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ",
    "en": "",
    "es": "áéíñóúü",
    "et": "äõöšüž",
    "fi": "åäö",
    "fr": "àâæçèéêëîïôœùûüÿ",
    "ga": "áéíóú",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "it": "àèéìòóù",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "nl": "áäéëíïóöúü",
    "nb": "àåæéòóôø",
    "nn": "àåæéòóôø",
    "no": "àåæéòóôø",
    "pl": "ąćęłńóśźż",
    "pt": "àáâãçéêíòóôõú",
    "ro": "ăâîșț",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšž",
    "sv": "àåäéö",
    "tr": "âçğıîİöşüû",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
}


def letters_of(language: str) -> frozenset[str] | None:
    """Letters of a language beyond a to z, small and capital; None: any may be.

    Parameters
    ----------
    language : str
        Its code: ``de``, ``pt-BR``.
    """
    letters = ALPHABETS.get(language.partition("-")[0])
    if letters is None:
        return None
    return frozenset(letters + letters.upper())
