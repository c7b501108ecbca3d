"""What the columns of term bases are called."""

from truecase.text.language_tags import primary

#: Of columns of terms, lowercased; the first that a table has is taken.
TERM_HEADINGS = ("target", "target term", "translation", "term", "name", "entry", "source")

# ISO 639-1.
_CODES = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu "
    "cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi "
    "ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks "
    "ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl "
    "nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl "
    "sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve "
    "vi vo wa wo xh yi yo za zh zu".split()
)

_NAMES = {
    "albanian": "sq", "armenian": "hy", "azerbaijani": "az", "basque": "eu", "belarusian": "be",
    "bosnian": "bs", "bulgarian": "bg", "catalan": "ca", "croatian": "hr", "czech": "cs",
    "danish": "da", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi",
    "french": "fr", "galician": "gl", "german": "de", "greek": "el", "hungarian": "hu",
    "icelandic": "is", "indonesian": "id", "irish": "ga", "italian": "it", "japanese": "ja",
    "kazakh": "kk", "latvian": "lv", "lithuanian": "lt", "macedonian": "mk", "norwegian": "no",
    "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru", "serbian": "sr",
    "slovak": "sk", "slovenian": "sl", "spanish": "es", "swedish": "sv", "turkish": "tr",
    "ukrainian": "uk", "vietnamese": "vi", "welsh": "cy", "chinese": "zh", "korean": "ko",
    "arabic": "ar", "hebrew": "he",
}  # fmt: skip


def language_of_heading(heading: str) -> str | None:
    """The code of the language that a column is of: ``en`` of ``EN-us``, ``English (UK)``.

    None if the heading names no language.
    """
    words = heading.lower().strip("[] ").split()
    if not words:
        return None
    code = primary(words[0])
    if words[0] in _NAMES:
        return _NAMES[words[0]]
    return code if code in _CODES and len(words) == 1 else None
