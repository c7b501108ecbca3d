"""Ways to damage a model file, each a stream of (what was done, bytes of the damaged file)."""

import copy
import json
import random

import numpy as np
from plain_containers import load, save, with_value

HUGE = 3e38  # a finite float32, whose sums are not
SETTINGS = (None, True, -1, 0, 1, 3, 255, 2**31, 2**32, 2**40, 2**64, -(2**63), 0.5, 1e308)
SETTINGS += (float("nan"), float("inf"), "", "trigram", [], {}, [1, 2])


def parts(good):
    """Length of the header, the container's arrays, the model's metadata."""
    length = int.from_bytes(good[:8], "little")
    header = json.loads(good[8 : 8 + length])
    return length, load(good), json.loads(header["__metadata__"]["truecase"])


def rebuilt(arrays, metadata):
    """A well-formed container with whatever arrays and metadata are given."""
    return save(arrays, metadata={"truecase": json.dumps(metadata)})


def truncated(good):
    length, _, _ = parts(good)
    draw = random.Random(1)
    places = set(range(80)) | set(range(80, 8 + length, 17)) | {8 + length - 1, 8 + length}
    places |= {draw.randrange(8 + length, len(good)) for _ in range(150)}
    places |= {len(good) - k for k in range(1, 17)}
    for place in sorted(places):
        yield f"truncated to {place} bytes", good[:place]
    yield "one byte too many", good + b"\0"


def flipped_header(good):
    length, _, _ = parts(good)
    draw = random.Random(2)
    for place in sorted(draw.sample(range(8 + length), min(700, 8 + length))):
        damaged = bytearray(good)
        damaged[place] ^= 1 << draw.randrange(8)
        yield f"bit flipped in byte {place} of the header", bytes(damaged)


def flipped_data(good):
    length, _, _ = parts(good)
    draw = random.Random(3)
    for _ in range(300):
        damaged = bytearray(good)
        places = [draw.randrange(8 + length, len(good)) for _ in range(draw.choice((1, 10, 1000)))]
        for place in places:
            damaged[place] = draw.randrange(256)
        if damaged != good:
            yield f"{len(places)} bytes changed, the first is {places[0]}", bytes(damaged)


def random_bytes(good):
    draw = random.Random(4)
    for size in (*range(12), 50, 100, 1000, 10_000):
        yield f"{size} random bytes", draw.randbytes(size)
        yield f"{size} zero bytes", bytes(size)
        yield f"header of {size} random bytes", size.to_bytes(8, "little") + draw.randbytes(size)
    yield "text", b"Not a model, but a line of text.\n" * 50


def header_length(good):
    length, _, _ = parts(good)
    sizes = (0, 1, 2, length - 1, length + 1, len(good) - 8, len(good), len(good) + 1)
    for size in (*sizes, 100_000_001, 2**31, 2**32 - 1, 2**32, 2**62, 2**63, 2**64 - 9, 2**64 - 1):
        yield f"header length {size}", size.to_bytes(8, "little") + good[8:]
    for text in (b"{}", b"[]", b"null", b'{"__metadata__":{}}', b"{" * 5000, b"\xff" * 10):
        yield f"header {text[:12]!r}", len(text).to_bytes(8, "little") + text + good[8 + length :]


def settings(good):
    """Every setting of every section, each in turn missing and of every odd value."""
    _, arrays, metadata = parts(good)

    yield from _changed_settings(arrays, metadata, "sections")


def _changed_settings(arrays, metadata, settings):
    def places(tree, path):
        for key, value in tree.items():
            yield (*path, key)
            if isinstance(value, dict):
                yield from places(value, (*path, key))

    for path in [*places(metadata[settings], (settings,)), (settings,), ("format",)]:
        for value in ("missing", *SETTINGS):
            damaged = with_value(metadata, path, value)
            yield f"{'.'.join(path)} = {value!r}", rebuilt(arrays, damaged)


def arrays(good):
    """Every array, each in turn missing, of another length or type, or full of nonsense."""
    _, whole, metadata = parts(good)
    noise = np.random.default_rng(5)
    for name, array in whole.items():
        replaced = {
            "missing": None,
            "empty": array[:0],
            "short": array[:-1],
            "half": array[: len(array) // 2],
            "long": np.concatenate([array, array[:1]]),
            "float64": array.astype(np.float64),
            "int16": array.astype(np.int16),
            "two-dimensional": array.reshape(1, -1),
            "zero": np.zeros_like(array),
            "full": np.frombuffer(b"\xff" * array.nbytes, array.dtype),
        }
        for k in range(3):
            replaced[f"random {k}"] = np.frombuffer(noise.bytes(array.nbytes), array.dtype)
        if array.dtype == np.float32:
            alternating = np.full_like(array, HUGE)
            alternating[::2] = -HUGE
            replaced["huge"] = np.full_like(array, HUGE)
            replaced["minus huge"] = np.full_like(array, -HUGE)
            replaced["alternating"] = alternating
            replaced["nan"] = np.full_like(array, np.nan)
            replaced["infinite"] = np.full_like(array, np.inf)
        else:
            replaced["shuffled"] = noise.permutation(array)
        for what, other in replaced.items():
            damaged = {k: v for k, v in whole.items() if k != name}
            if other is not None:
                damaged[name] = other
            yield f"{name}: {what}", rebuilt(damaged, metadata)
    hostile = {
        name: np.full_like(array, HUGE) if array.dtype == np.float32 else array
        for name, array in whole.items()
    }
    yield "every float huge", rebuilt(hostile, metadata)
    everything = {
        name: np.frombuffer(noise.bytes(array.nbytes), array.dtype) for name, array in whole.items()
    }
    for name, array in everything.items():
        if array.dtype == np.float32:
            everything[name] = np.nan_to_num(array)
    yield "every array random", rebuilt(everything, metadata)


def endless(good):
    """Full tables to be probed for ever, and forms without a last one."""
    _, arrays, metadata = parts(good)
    full = {
        name: np.frombuffer(b"\xff" * array.nbytes, array.dtype) if "slots" in name else array
        for name, array in arrays.items()
    }
    tables = (("lexicon", ""), ("lm", "ngram2"), ("lm", "ngram3"))

    def setting(metadata, section, table):
        settings = metadata["sections"][section]
        return settings[table] if table else settings

    for probes in (2**31, 2**32 - 1):
        damaged = copy.deepcopy(metadata)
        for section, table in tables:
            setting(damaged, section, table)["max_probes"] = probes
        yield f"full tables, {probes} probes", rebuilt(full, damaged)
        for section, table in tables:
            damaged = copy.deepcopy(metadata)
            setting(damaged, section, table)["max_probes"] = probes
            name = f"{section}/{table}.slots" if table else f"{section}/slots"
            one = {**arrays, name: full[name]}
            yield f"{name} full, {probes} probes", rebuilt(one, damaged)
    n = 1_000_000
    for what, record in (("AL", 0), ("IU", 1), ("MX", 3)):
        records = np.full(n, record, np.uint32)
        yield (
            f"{n} forms {what} of every word",
            rebuilt({**arrays, "lexicon/records": records}, metadata),
        )


KINDS = {
    kind.__name__: kind
    for kind in (
        truncated,
        flipped_header,
        flipped_data,
        random_bytes,
        header_length,
        settings,
        arrays,
        endless,
    )
}
