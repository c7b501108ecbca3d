"""Short forms of English whose case the words beside them tell.

Letters with a slash, ``v.``, keys, heads of mail, labels of lists. The letters are words by
themselves, so that n-grams take them for initials and articles.
"""

#: Pairs of letters with a slash between them, in their right case.
SLASHED = frozenset(
    """
    w/o c/o s/o w/w w/v m/z I/O A/B A/C A/D A/S A/V C/C D/A H/W M/V N/A P/E P/L Q/A R/V R/W S/N
    S/W T/A U/A Y/N
    """.split()
)

#: In a sentence with one of these, or before one of the others, ``v.`` between two words is that
#: of a case in court, else likelier the middle initial of a name.
COURT = frozenset(
    """
    appeal appeals case cases court courts decision decisions defendant defendants judgment lawsuit
    litigation overruled overturned plaintiff plaintiffs precedent ruled ruling rulings
    """.split()
)
PARTIES = frozenset(
    """
    board city commission commissioner commonwealth county department minister people r secretary
    state states u.s. united us
    """.split()
)

#: Keys, before a plus: ``Ctrl+C``.
KEYS = frozenset(
    """
    alt backspace cmd command control ctrl del delete enter esc fn ins option return shift tab win
    """.split()
)

#: What a line of mail begins with, before a colon.
HEADS = frozenset(
    """
    fwd re
    """.split()
)

#: What these are favoured by, in nats.
BONUS = 10.0
