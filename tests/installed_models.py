"""Packages that bring models, as pip would install them."""


def bring(folder, name, value, body, package="truecase_model_xx"):
    """A package that names a model, as pip would install it."""
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(body)
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[truecase.models]\n{name} = {value}\n")
