"""Words of English speech whose case is favoured by rule.

Texts that models learn from hardly have them: fillers (``um``), short forms that have lost their
apostrophe (``im``, ``theyll``), numbers and addresses read out (``five five five``, ``dot com``).
"""

#: Lower case nearly wherever they stand.
LOWER = frozenset(
    """
    um uhm uhh uhhh mm-hmm mm-hm mhm mmhm mmhmm mhmm uh-huh um-hmm nuh-uh uh-uh huh hmmm mmm gonna
    wanna gotta dunno kinda sorta arent hadnt hasnt hes hows isnt itll shes theyd theyll theyve weve
    yall youve
    """.split()
)

#: Lower case too, but also names or abbreviations (UH, HMM, ER), or often first words where marks
#: are missing.
LIKELY_LOWER = frozenset(
    """
    uh umm ummm hm hmm mm erm er eh ah ahh ooh yeah nah couldnt couldve didnt doesnt gimme havent
    itd lemme mightve neednt shouldnt shouldve thatll therell theyre wasnt werent wholl whove
    wouldnt wouldve youd youll youre
    """.split()
)

#: I'm, if one of `AFTER_I_AM` or a word in -ing follows.
I_AM = "im"
AFTER_I_AM = frozenset(
    """
    a also almost already always actually afraid an cool confident curious definitely done
    encouraged excited extremely fine glad gonna good happy here interested just kind kinda like not
    now okay pleased pretty probably proud quite ready really scared serious so sorry still sure
    terribly the there tired totally too very wrong
    """.split()
)

#: I'd and I'll, if one of `AFTER_I_WILL` follows, which hardly ever follow ID and ill.
I_WILL = frozenset(
    """
    id ill
    """.split()
)
AFTER_I_WILL = frozenset(
    """
    actually add admit advise also answer appreciate argue ask assume be been bet bring buy call
    certainly characterize come comment confirm definitely describe direct discuss do done echo
    encourage even expect explain find finish focus follow get give go gone got guess hand hate have
    hear help highlight hope imagine invite join just keep kill know leave let like look love make
    maybe meet mention move need never not note only pass pay pick prefer probably provide put
    rather really recommend reiterate remember return say see seen send share simply speak start
    stay still stop suggest summarize swear take talk tell thank then think touch try turn wait walk
    want welcome write
    """.split()
)

#: Lower case behind a spoken dot.
DOT = "dot"
DOMAINS = frozenset(
    """
    com org net edu gov io uk
    """.split()
)

#: Lower case, three or more in a row.
NUMBERS = frozenset(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million
    """.split()
)

#: What the case is favoured by, in nats. Chosen by bench/experiments/speech.py.
SURE = 6.0
LIKELY = 2.0
