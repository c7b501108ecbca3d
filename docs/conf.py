"""Settings of Sphinx; `make docs` builds the site, and every warning is an error."""

import sys
from pathlib import Path

from truecase._installation import __version__

sys.path.insert(0, str(Path(__file__).parent))

project = "truecase"
author = "The truecase developers"
copyright = f"{author}, Apache-2.0"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "mathml"]

# Links between pages, and the headings that they name, are checked.
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "dollarmath"]

# Formulas become MathML while the site is built, so that no page loads a script for them.
html_math_renderer = "mathml"

napoleon_google_docstring = False
napoleon_use_ivar = True
# An attribute's name is looked up as a name anywhere: `text` is an attribute of several classes.
suppress_warnings = ["ref.python"]
napoleon_preprocess_types = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_mock_imports = ["spacy", "pyspark"]
autodoc_default_options = {"members": True}
# `truecase` is a package and a function of it; docstrings' single backquotes are names.
default_role = "literal"

html_theme = "furo"
html_title = f"truecase {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
