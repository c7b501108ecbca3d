"""Words that tell of a line whether it is in a language whose nouns have a capital: German.

In such a source a capital says little of a translation's, in any other it mostly means a name.
The words are frequent in German and rare in other languages that write Latin letters.
"""

#: One of them is enough.
SURE = frozenset(
    """
    und ist nicht ein eine einen einer einem eines für auf zum zur sich wird sind auch wenn oder nur
    durch nach über aus vom beim kann können haben wir diese dieser dieses diesen diesem keine kein
    dass daß aber wurde wurden sie ihre ihr zwischen sowie muss müssen soll sollte sollten
    """.split()
)

#: Two different ones are; some stand in other languages, too. A word with ß, ä, ö or ü is like one
#: of them, and one with another letter that is not in ASCII is of another language.
LIKELY = ("der", "die", "das", "im", "mit", "von", "bis", "hat", "zu", "ich", "bei", "noch")

#: Words that a line without any of these must have to be in another language, and one with one.
FEWEST_WORDS = (5, 12)
