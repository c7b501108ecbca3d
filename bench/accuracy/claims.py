"""Figures that others publish, those above ours among them, with where they stand."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """One published figure; nobody measured it again here.

    Attributes
    ----------
    text : str
        Name of a set, or what the text was where it is none of them.
    system : str
    where : str
        The publication.
    accuracy, f1 : float or None
        In per cent.
    trained_on : str
    """

    text: str
    system: str
    where: str
    accuracy: float | None = None
    f1: float | None = None
    trained_on: str = ""


WIKIPEDIA_TRAIN = "its training part, 2.9 million words"
MAYHEW = "github.com/mayhewsw/pytorch-truecaser, its releases"

CLAIMS = (
    # The abstract has the difference alone; the best of its time was Susanto et al.
    Claim(
        "wikipedia",
        "CNN, BiLSTM and CRF of characters: 0.83 above the best of its time",
        "Ramena et al. 2020, arXiv 2002.00738",
        f1=94.02,
        trained_on=WIKIPEDIA_TRAIN,
    ),
    Claim(
        "wikipedia",
        "LSTM of characters, 3 × 700, in PyTorch",
        "github.com/raymondhs/pytorch-char-rnn-truecase",
        97.55,
        93.50,
        WIKIPEDIA_TRAIN,
    ),
    Claim(
        "wikipedia",
        "LSTM of characters",
        "Susanto, Chieu & Lu 2016, EMNLP, D16-1225",
        97.41,
        93.19,
        WIKIPEDIA_TRAIN,
    ),
    Claim(
        "wikipedia",
        "BiLSTM of characters",
        "github.com/mayhewsw/pytorch-truecaser",
        f1=93.01,
        trained_on=WIKIPEDIA_TRAIN,
    ),
    Claim(
        "wikipedia",
        "statistics of words and their neighbours",
        "github.com/nreimers/truecaser",
        94.15,
        trained_on="news and Wikipedia",
    ),
    Claim(
        "German of WMT", "BiLSTM of characters", MAYHEW, f1=97.9, trained_on="the same kind of text"
    ),
    Claim(
        "Spanish of WMT and LDC",
        "BiLSTM of characters",
        MAYHEW,
        f1=93.0,
        trained_on="the same kind of text",
    ),
    Claim(
        "Russian of WMT and LDC",
        "BiLSTM of characters",
        MAYHEW,
        f1=87.6,
        trained_on="the same kind of text",
    ),
    Claim(
        "news",
        "trigrams of words",
        "Lita et al. 2003, ACL, P03-1020: about 98 %",
        98.0,
        trained_on="news",
    ),
)
