from truecase._installation import __version__ as __version__
from truecase.alignment.parallel import AlignmentFile as AlignmentFile
from truecase.errors import ModelError as ModelError
from truecase.errors import TrainingError as TrainingError
from truecase.errors import TruecaseError as TruecaseError
from truecase.formats.bibliographies import case_bibliography as case_bibliography
from truecase.formats.case_table import case_table as case_table
from truecase.formats.file_caser import case_file as case_file
from truecase.formats.review import ReviewSettings as ReviewSettings
from truecase.formats.review import apply_corrections as apply_corrections
from truecase.formats.review import review_file as review_file
from truecase.kernels._names import NameList as NameList
from truecase.model.model import Model as Model
from truecase.model.names import name_list as name_list
from truecase.model.names import read_names as read_names
from truecase.options import Casing as Casing
from truecase.options import InputCase, SentenceStart, Style
from truecase.rules.smartcase import capitalize as capitalize
from truecase.rules.smartcase import normalize as normalize
from truecase.training.count_text import count_text as count_text
from truecase.training.count_text import merge_counts as merge_counts
from truecase.training.material import Bitext as Bitext
from truecase.training.recipe import PRESETS as PRESETS
from truecase.training.recipe import Recipe as Recipe
from truecase.truecaser import Truecaser as Truecaser
from truecase.truecaser.bridge import CaseBridge as CaseBridge
from truecase.truecaser.multilingual import MultilingualTruecaser as MultilingualTruecaser
from truecase.truecaser.sentence_case import SentenceCaser as SentenceCaser
from truecase.truecaser.sentence_case import sentence_case as sentence_case
from truecase.truecaser.sharp_s import restore_sharp_s as restore_sharp_s

def truecase(
    text: str,
    input_case: InputCase = "evidence",
    style: Style = "sentence",
    *,
    sentence_start: SentenceStart = "always",
) -> str: ...
