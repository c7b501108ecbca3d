"""A worker without the package: a ``sitecustomize.py`` by which Python cannot find it."""

NO_PACKAGE = """
import sys
class Missing:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "truecase":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing)
"""
