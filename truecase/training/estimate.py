"""From counts to a model: n-grams, their scores, what is left of them, packed.

counts → (SmartCase, rare forms → class tokens) → Kneser-Ney → n-grams that matter for casing
       → packed
"""

from truecase.lexicon.lexicon import N_MARKS
from truecase.model.model import Model
from truecase.ngram.kneser_ney import estimate as estimate_ngrams
from truecase.portage.case_models import case_models, fill_class_backoffs
from truecase.runtime._give_back import give_back_memory
from truecase.training.counts import Counts, kept_forms, rare_forms
from truecase.training.export import kept_words
from truecase.training.fit_to_size import Report, prune_to_fit
from truecase.training.language_model import N_CLASS_TOKENS, N_EXTRA, Scored, pack_model
from truecase.training.merged_counts import MergedCounts
from truecase.training.recipe import Recipe, recipe_note
from truecase.training.score import score_forms, unigram_model


def _quiet(step: str, share: float | None) -> None:
    pass


def estimate(
    counts: Counts | MergedCounts,
    recipe: Recipe,
    *,
    max_size: int | None = None,
    memory: int | None = None,
    report: Report = _quiet,
) -> Model:
    """A model whose features have weights that nothing was learned for yet.

    Parameters
    ----------
    counts : Counts or MergedCounts
        Of a text, whose stream is closed; or of a file.
    recipe : Recipe
    max_size : int, optional
        Bytes that lexicon and language model may take.
    memory : int, optional
        Bytes that may be used for n-grams; more goes to temporary files.
    report : callable

    Returns
    -------
    model : Model
    """
    forms = counts.forms
    rare = rare_forms(forms, recipe.lexicon)
    kept = kept_forms(forms, rare, recipe.lexicon)
    evidence = None
    if recipe.dense is not None:
        report("reading neighbours and endings", None)
        evidence = counts.evidence(kept, recipe.text.casing == "turkic")
    if recipe.lm is None:
        scored = unigram_model(forms, kept, rare)
    else:
        report("estimating n-grams", None)
        model = estimate_ngrams(
            counts.ngrams(rare, recipe.lexicon.smartcase, memory is not None),
            len(forms.key) + N_EXTRA,
            order=recipe.lm.order,
            prune=recipe.lm.prune,
            memory=memory,
        )
        give_back_memory()
        scored = score_forms(forms, kept, rare, model)
        del model
        if recipe.portage is not None:
            _add_case_models(scored, recipe)
        report("choosing n-grams", None)
        scored = prune_to_fit(scored, recipe, max_size, report)
    report("packing", None)
    packed = pack_model(scored, recipe, evidence)
    if recipe.lm is not None and recipe.lm.keep_ngrams:
        packed = packed.replace(words=kept_words(counts.vocabulary, scored))
    return packed.with_notes(
        training=recipe_note(recipe),
        origin=recipe.origin,
        licence=recipe.licence,
        corpus={
            "lines": int(forms.count[2]),
            "tokens": int(forms.count[N_MARKS:].sum()),
            "forms": len(counts.vocabulary) - N_MARKS,
        },
    )


def _add_case_models(scored: Scored, recipe: Recipe) -> None:
    """Portage's models of case, and the backoffs that go with them."""
    forms = scored.forms
    scored.portage = case_models(forms, scored.kept, recipe.lexicon.smartcase)
    classes = slice(len(forms.key), len(forms.key) + N_CLASS_TOKENS)
    scored.log_backoff[classes] = fill_class_backoffs(
        scored.log_backoff[classes], scored.in_model[classes]
    )
