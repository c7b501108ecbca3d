"""A model used as a simpler one: the n-grams or the lexicon of a model without what it adds."""

from typing import Any

from truecase.modelfile.errors import ModelError

#: What every model of n-grams also is.
SIMPLER = ("trigram", "unigram")


def as_preset(metadata: dict[str, Any], preset: str) -> dict[str, Any]:
    """Metadata that make a decoder leave out features, or features and n-grams.

    Parameters
    ----------
    metadata : dict
        Of a model of any preset.
    preset : {"trigram", "unigram"}
        ``trigram``: the language model alone, of whatever order it is, with weight 1.
        ``unigram``: the most frequent form of each word.

    Raises
    ------
    ValueError
        If `preset` is another one.
    ModelError
        If the model has no n-grams to be a trigram model with.
    """
    if preset not in SIMPLER:
        raise ValueError(f"preset {preset!r}: expected one of {', '.join(SIMPLER)}")
    decoder = dict(metadata["decoder"])
    if decoder["preset"] == preset:
        return metadata
    if decoder["preset"] == "unigram":
        raise ModelError("a unigram model has no n-grams to decode with")
    for name in ("crf", "fine", "portage", "domain", "source", "translation"):
        decoder.pop(name, None)
    smartcase = metadata.get("training", {}).get("smartcase", True)
    decoder.update(
        preset=preset,
        lm_weight=1.0,
        initial="restore" if smartcase or preset == "unigram" else "constrain",
    )
    return {**metadata, "decoder": decoder}
