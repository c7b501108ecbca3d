"""Short forms of English whose case the words beside them tell, and those that begin a unit.

Letters with a slash, ``v.``, keys, heads of mail, labels of lists, days and months. The letters are
words by themselves, so that n-grams take them for initials and articles.
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

#: What stands before the first party where a sentence begins with a citation.
CITES = frozenset(
    """
    see
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
    attn bcc cc fwd re tel
    """.split()
)

#: Of them, and of others, what stands behind the colon begins a unit, as a sentence does.
UNIT_HEADS = frozenset(
    """
    fw fwd re subject
    """.split()
)

#: What a note begins with; the note itself is a sentence. Those without periods before a colon.
NOTES = frozenset(
    """
    n.b. p.p.s. p.s.
    """.split()
)
NOTE_HEADS = frozenset(
    """
    nb pps ps
    """.split()
)

#: Who is not named behind the word that a letter begins with.
SALUTED = frozenset(
    """
    madam madams sir sirs
    """.split()
)
SALUTATION = "dear"

#: Days and months before a period, which ends no sentence between one of the words or numbers that
#: stand before a date and one of those that stand behind it.
DATES = frozenset(
    """
    mon tue tues wed thu thur thurs fri sat sun
    jan feb mar apr jun jul aug sep sept oct nov dec
    """.split()
)
BEFORE_DATES = frozenset(
    """
    and by each every from in last next on or since this through till to until
    """.split()
)
AFTER_DATES = frozenset(
    """
    afternoon and at evening for from in morning night or through till to until with
    """.split()
)

#: What stands between two dates (``Mon. to Fri.``).
BETWEEN_DATES = frozenset(
    """
    and or through till to until
    """.split()
)

#: Words that a day alone stands behind, but for days and months that are words, too.
ON_DATES = frozenset(
    """
    by every on till until
    """.split()
)
DATES_OR_WORDS = frozenset(
    """
    mar sun
    """.split()
)

#: First words that are all in upper case, as elsewhere.
UPPER_FIRST = frozenset(
    """
    ok
    """.split()
)

#: Words named after a letter's shape, or after what it stands for.
LETTERED = frozenset(
    """
    h-bomb j-pop k-pop t-shirt t-shirts u-turn u-turns v-neck x-ray x-rays
    """.split()
)

#: Verbs that a comma and a quotation follow.
SPEECH = frozenset(
    """
    added adds answered answers asked asking asks replied replies said say saying says shouted
    shouting told whispered whispering wrote
    """.split()
)

#: What these are favoured by, in nats.
BONUS = 10.0
