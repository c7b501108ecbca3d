"""The lists of English rules, as the twins read them: a set of words for each name."""

from types import SimpleNamespace

from truecase.rules.language import phrases, read_rules


def lists(section, language="en"):
    return SimpleNamespace(
        **{
            name: frozenset(value.split()) if isinstance(value, str) else value
            for name, value in read_rules(language)[section].items()
        }
    )


def offices(name):
    """By number of the office, singular and plural alike: the singular."""
    found, singular = {}, ""
    for words, is_plural in phrases(read_rules("en")["offices"][name]):
        singular = singular if is_plural else " ".join(words)
        found[" ".join(words)] = singular
    return found
