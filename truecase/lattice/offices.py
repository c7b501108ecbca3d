"""Words of house style for offices: what is one, and what tells that it stands alone.

English. A space within is written ``_``.
"""


def _phrases(text: str) -> frozenset[str]:
    return frozenset(phrase.replace("_", " ") for phrase in text.split())


def plural(phrase: str) -> str:
    """An office of several."""
    head, join, rest = phrase.partition(" of ")
    many = f"{head[:-1]}ies" if head.endswith("y") else f"{head}s"
    return many + join + rest


#: Persons: before a name these are part of it.
PERSONS = _phrases(
    """
    ambassador attorney_general chairman chairperson chairwoman
    chancellor chief_executive chief_executive_officer chief_justice chief_minister commissioner
    congressman congresswoman defence_minister defence_secretary defense_minister
    defense_secretary deputy_secretary-general director_general director-general
    energy_minister finance_minister first_minister foreign_minister foreign_secretary
    general_secretary governor governor-general head_of_government head_of_state
    health_minister health_secretary high_commissioner home_secretary interior_minister
    justice_minister lieutenant_governor mayor minister minister_of_state
    permanent_representative president president-elect press_secretary
    prime_minister secretary secretary_general
    secretary_of_defense secretary_of_state secretary-general senator solicitor_general
    special_envoy special_rapporteur special_representative transport_minister
    treasury_secretary under-secretary-general vice_chairman vice_chancellor vice_president
    vice-chairman vice-chancellor vice-president
    """
)

#: Others, often names or parts of them: without a determiner before them they are no office.
OFTEN_NAMES = _phrases(
    """
    archbishop bishop cardinal director emperor empress king pope premier prince princess professor
    queen speaker
    """
)

#: Bodies: beside a capital these are part of a name.
BODIES = _phrases(
    """
    assembly board commission committee council court department government member_state
    ministry secretariat state subcommittee tribunal working_group
    """
)

#: Of these, words that are as often no office: they get no capital by rule.
ONLY_LOWER = _phrases(
    """
    board chief_executive chief_executive_officer court department director government
    head_of_government head_of_state member_state premier professor speaker state working_group
    """
)

#: What is of an office that stands behind it.
RANKS = frozenset(
    """
    acting assistant associate crown deputy executive federal interim managing
    """.split()
)

#: Likewise, but what they stand before is one of several.
ORDINALS = frozenset(
    """
    first former second senior
    """.split()
)

#: What stands before a body that stands alone.
DETERMINERS = frozenset(
    """
    a an another any both each every her his its my no our some that the their these this those
    your
    """.split()
)

#: What an office belongs to, so that both are as the model has them.
ADDRESSES = frozenset(
    """
    grand holy lord madam mister mr mr. mrs mrs. ms ms. sir
    """.split()
)

#: What joins a name to an office before it (``President of France``); to a body also ``on``.
JOINS = frozenset(
    """
    against for of on to
    """.split()
)

#: Capitals behind an office that are no name of who holds it.
NO_NAMES = frozenset(
    """
    i i'm i'd i'll i've monday tuesday wednesday thursday friday saturday sunday january february
    march april june july august september october november december
    """.split()
)
