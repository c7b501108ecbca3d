"""The step behind real pipelines of `transformers`: small models of random weights, made here."""

import json

import numpy as np
import pytest

import truecase
from truecase.errors import WrongTypeError
from truecase.integrations.hugging_face import TruecaseColumn, TruecaseOutput

needs = "needs torch and transformers: pip install torch transformers"
torch = pytest.importorskip("torch", reason=needs)
transformers = pytest.importorskip("transformers", reason=needs)
tokenizers = pytest.importorskip("tokenizers", reason=needs)

WORDS = "<pad> <s> </s> <unk> in london paris new york the train is late mary nasa .".split()


@pytest.fixture(scope="module")
def step():
    return TruecaseOutput()


@pytest.fixture(scope="module")
def tokenizer():
    words = tokenizers.models.WordLevel({word: i for i, word in enumerate(WORDS)}, "<unk>")
    fast = tokenizers.Tokenizer(words)
    fast.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, unk_token="<unk>", pad_token="<pad>", bos_token="<s>",
        eos_token="</s>", padding_side="left",
    )  # fmt: skip
    made.chat_template = "{% for turn in messages %}{{ turn['content'] }} {% endfor %}"
    return made


@pytest.fixture(scope="module")
def generator(tokenizer):
    """Goes on with words that it picks at random."""
    torch.manual_seed(1)
    config = transformers.GPT2Config(
        vocab_size=len(WORDS), n_positions=64, n_embd=8, n_layer=1, n_head=2, bos_token_id=1,
        eos_token_id=2, pad_token_id=0,
    )  # fmt: skip
    model = transformers.GPT2LMHeadModel(config)
    return transformers.pipeline("text-generation", model=model, tokenizer=tokenizer, device="cpu")


def generated(generator, inputs, **options):
    torch.manual_seed(3)
    return generator(inputs, max_new_tokens=6, do_sample=True, **options)


@pytest.mark.parametrize(
    "options", [{}, {"num_return_sequences": 2}, {"return_full_text": False}], ids=str
)
@pytest.mark.parametrize("inputs", ["in london the", ["in london", "the train is"]])
def test_text_generation(step, generator, inputs, options):
    plain = generated(generator, inputs, **options)
    out = generated(step.behind(generator), inputs, **options)
    nested = isinstance(inputs, list)
    flat = [one for many in plain for one in many] if nested else plain
    assert len(flat) >= (2 if nested else 1)
    flat_out = [one for many in out for one in many] if nested else out
    for before, after in zip(flat, flat_out, strict=True):
        text = before["generated_text"]
        assert after == {"generated_text": truecase.truecase(text)}
        assert text == text.lower()
    assert any(
        after["generated_text"] != before["generated_text"]
        for before, after in zip(flat, flat_out, strict=True)
    )


def test_a_conversation(step, generator):
    turns = [{"role": "user", "content": "in new york"}]
    (out,) = generated(step.behind(generator), turns)
    asked, answered = out["generated_text"]
    assert asked == turns[0]
    assert answered["role"] == "assistant" and answered["content"][0].isupper()


def test_a_stream(step, generator):
    out = generated(step.behind(generator), (text for text in ["in london", "the train"]))
    assert not isinstance(out, list)
    first, second = ([one["generated_text"] for one in many] for many in out)
    assert first[0].startswith("In London") and second[0].startswith("The")


@pytest.fixture(scope="module")
def recogniser(tmp_path_factory):
    """Hears letters at random."""
    folder = tmp_path_factory.mktemp("recogniser")
    letters = ["<pad>", "<s>", "</s>", "<unk>", "|", *"INEWYORK"]
    (folder / "vocab.json").write_text(
        json.dumps({letter: i for i, letter in enumerate(dict.fromkeys(letters))})
    )
    tokenizer = transformers.Wav2Vec2CTCTokenizer(str(folder / "vocab.json"))
    torch.manual_seed(5)
    config = transformers.Wav2Vec2Config(
        vocab_size=len(tokenizer), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8, conv_dim=(8, 8), conv_stride=(5, 4), conv_kernel=(10, 8),
        num_feat_extract_layers=2, num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2,
        pad_token_id=0,
    )  # fmt: skip
    model = transformers.Wav2Vec2ForCTC(config).eval()
    # What is heard depends on the sound, and is not the same letter throughout.
    with torch.no_grad():
        model.lm_head.weight.mul_(200)
    return transformers.pipeline(
        "automatic-speech-recognition", model=model, tokenizer=tokenizer,
        feature_extractor=transformers.Wav2Vec2FeatureExtractor(), device="cpu",
    )  # fmt: skip


@pytest.mark.parametrize("timestamps", [None, "word", "char"])
def test_speech_recognition(step, recogniser, timestamps):
    sound = np.random.default_rng(2).normal(size=8000).astype(np.float32)
    options = {} if timestamps is None else {"return_timestamps": timestamps}
    plain = recogniser(sound.copy(), **options)
    assert len(plain["text"].split()) > 1
    out = step.behind(recogniser)(sound.copy(), **options)
    assert out["text"] == truecase.truecase(plain["text"])
    assert out["text"] != plain["text"]
    assert out.keys() == plain.keys()
    if timestamps is not None:
        assert len(out["chunks"]) > 1
        for before, after in zip(plain["chunks"], out["chunks"], strict=True):
            assert after["timestamp"] == before["timestamp"]
            assert after["text"].lower() == before["text"].lower()
        joined = "".join(chunk["text"] for chunk in out["chunks"])
        assert joined.replace(" ", "") == out["text"].replace(" ", "")


def test_tokens_have_no_text_of_their_own(step, tokenizer):
    """Labels of tokens are refused in one sentence: cased text goes in front of such a pipeline."""
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8,
    )  # fmt: skip
    model = transformers.BertForTokenClassification(config)
    tagger = transformers.pipeline(
        "token-classification", model=model, tokenizer=tokenizer, device="cpu"
    )
    text = "mary is in new york"
    with pytest.raises(WrongTypeError, match="expected an output with one of text"):
        step.behind(tagger)(text)
    # Offsets are those of the text as it was.
    given, cased = tagger(text), tagger(truecase.truecase(text))
    assert [(one["start"], one["end"]) for one in given] == [
        (one["start"], one["end"]) for one in cased
    ]


def test_in_front_of_a_tokenizer(tokenizer):
    datasets = pytest.importorskip("datasets", reason="needs datasets: pip install datasets")
    datasets.disable_progress_bars()
    rows = datasets.Dataset.from_dict({"text": ["in london", "the train"]})
    rows = rows.map(TruecaseColumn("text", "cased"), batched=True)
    rows = rows.map(lambda batch: tokenizer(batch["text"]), batched=True)
    assert rows["cased"][:] == ["In London", "The train"]
    assert rows["input_ids"][:] == [[4, 5], [9, 10]]
