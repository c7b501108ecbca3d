"""Units, and what their case is favoured by; all else of forms made of parts is learned."""

#: Units in their right case, behind a number without space, or by themselves where the lexicon does
#: not have them. None that is a word, or another unit in another case (``mw``, ``nm``, ``b``).
UNITS = frozenset(
    """
    Hz kHz MHz GHz THz kV V W kW GW kWh MWh GWh TWh kWp kVA MVA mAh kJ kPa MPa GPa hPa dB dBm dBA
    keV MeV GeV TeV MB GB TB PB KiB MiB GiB TiB PiB kbit Mbit Gbit kbps Mbps Gbps Tbps
    mm cm km kg mg ml mph kph lb lbs oz ft rpm ppm ppb kcal hrs mins secs px fps
    """.split()
)

#: What a unit's form is favoured by, in nats.
UNIT = 12.0
