"""Two language models mixed by linear interpolation, an edge at a time, in plain Python."""

import math


def mixed(share: float, base: float, domain: float) -> float:
    """log((1 - share) · P_base + share · P_domain), of two logarithms."""
    return math.log((1 - share) * math.exp(base) + share * math.exp(domain))


def edge_score(
    share: float, base: float, domain: float, base_knows: bool, domain_knows: bool, is_end: bool
) -> float:
    """Score of an edge; a word that only one of the two knows is left to that one."""
    if is_end or (base_knows and domain_knows):
        return mixed(share, base, domain)
    return domain if domain_knows else base
