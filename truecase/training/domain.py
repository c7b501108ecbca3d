"""The lexicon and n-grams of a domain's text, made so that they go beside those of a model."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from truecase.lexicon._model_lexicon import Lexicon
from truecase.model.model import Model
from truecase.ngram._language_model import LanguageModel
from truecase.training.recipe import Adaptation, LexiconRecipe, NgramRecipe, Recipe, TextRecipe
from truecase.training.train import train


def domain_parts(
    base: Model, blocks: Iterable[bytes], recipe: Adaptation, max_size: int | None = None
) -> tuple[Lexicon, LanguageModel, dict[str, Any]]:
    """What `truecase.decode._domain.Domain` is made of, and what is told of the text.

    Parameters
    ----------
    base : Model
        That they go beside: of its segmentation, language and order.
    blocks : iterable of bytes
        Cased text of the domain, blocks of whole lines.
    recipe : Adaptation
    max_size : int, optional
        Bytes that they may take.
    """
    domain = Recipe(
        text=TextRecipe(base.text.segmentation, base.text.casing_language),
        lexicon=LexiconRecipe(recipe.min_count, min_share=0.0),
        lm=NgramRecipe(base.order),
        max_size=max_size,
    )
    trained = train(lambda: blocks, domain).model
    assert trained.lm is not None
    # A class token stands for many words: each has its share of the probability.
    share = np.log(max(1, trained.notes["corpus"]["forms"]))
    name = "classes.word_given_class_ln"
    of_class = np.asarray(trained.lexicon.arrays[name], np.float32)
    arrays = {**trained.lexicon.arrays, name: (of_class - share).astype(np.float32)}
    return Lexicon(arrays, trained.lexicon.settings), trained.lm, trained.notes["corpus"]
