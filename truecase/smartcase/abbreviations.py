"""Abbreviations after which a sentence usually continues.

The same holds for single letters (initials) and words with a period inside (``e.g.``, ``d.c.``).
Abbreviations that are also words, such as ``no.`` and ``sat.``, are left out: they end sentences.
"""

ABBREVIATIONS: tuple[bytes, ...] = tuple(
    word.encode()
    for word in (
        # titles and ranks
        "mr mrs ms mx messrs dr prof st ste sr jr rev hon gov sen rep pres gen col maj capt cmdr "
        "lt sgt cpl pvt adm supt insp fr br esq "
        "hr fr frl dipl ing sra srta sig sigra mme mlle mm mgr dott prof dna "
        # firms and places
        "inc ltd corp bros dept univ assn ave blvd mt ft "
        "str nr pl "
        # references and measures
        "vol vols pp ed eds fig figs ch sec art cf al viz vs approx ca resp etc est eg ie op "
        "bzw usw z.b d.h u.a vgl ggf evtl bspw "
        # months that are not words
        "jan feb apr aug sept sep oct okt nov dec dez"
    ).split()
)
