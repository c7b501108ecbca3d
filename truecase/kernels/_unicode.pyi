"""Case of strings by simple mappings (one code point to one)."""

#: Version of the case tables, such as ``14.0``. Keys of words depend on it, so it is pinned.
UNICODE_VERSION: str

def fold(text: str, language: str = "") -> str:
    """Lower case with ς as σ, as keys have it."""

def lower(text: str, language: str = "") -> str:
    """Lower case; Σ becomes ς at the end of a word."""

def upper(text: str, language: str = "") -> str:
    """Upper case of each code point whose upper case can be undone (ß stays)."""

def title(text: str, language: str = "") -> str:
    """Title case of each code point (ǆ becomes ǅ)."""

def capitalize(text: str, language: str = "") -> str:
    """First cased letter in title case, the rest lower, as the tag IU renders a word."""

def tag(text: str, language: str = "") -> str:
    """Tag of a word's case: AL, IU, AU, MX or AN."""
