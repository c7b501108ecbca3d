"""Compare tables with blocks of lines: rows and words per second, peak memory by number of rows.

    python bench/tables.py TEXT [--model MODEL] [--rounds N] [--threads N] [--times N]

The script makes a table of TEXT, cased or not, with a row per line: the text, a number, an address
and a struct. In each round, `case_block` cases the text and `case_table` the table in each format,
one after the other; the figures are medians of CPU seconds, and of their ratios within a round.
Then the command cases a table, and one of N times as many row groups; its peak memory is printed.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from processes import peak_mib
from script import run_script

from truecase import Truecaser, case_table

ROWS_OF_A_GROUP = 5_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", metavar="TEXT")
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("--decode-with", choices=("ngram", "unigram"))
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--times", type=int, default=20, metavar="N")
    args = parser.parse_args()
    model = Truecaser.load(args.model, decode_with=args.decode_with)
    data = Path(args.text).read_bytes()
    lines = data.decode("utf-8").rstrip("\n").split("\n")
    with tempfile.TemporaryDirectory() as folder:
        files = {kind: Path(folder, f"t.{kind}") for kind in ("parquet", "arrow", "jsonl", "csv")}
        write_tables(files, lines, 1)
        speed(files, data, len(lines), model, args)
        print(f"peak memory of the command; {args.times} times the rows; size of its file")
        for kind, path in files.items():
            before = peak(path, args)
            small = path.stat().st_size
            write_tables({kind: path}, lines, args.times)
            print(
                f"{kind:8} {before:6.0f} MiB {peak(path, args):6.0f} MiB "
                f"{small / 1e6:6.1f} MB {path.stat().st_size / 1e6:6.1f} MB"
            )
            path.unlink()


def write_tables(files: dict[str, Path], lines: list[str], times: int) -> None:
    """The table in some formats, with the lines that many times."""
    whole = pa.table(
        {
            "id": range(len(lines)),
            "text": lines,
            "url": [f"https://example.org/{i}" for i in range(len(lines))],
            "meta": [{"language": "en", "score": 1 / (i + 1)} for i in range(len(lines))],
        }
    )
    for kind, path in files.items():
        if kind == "parquet":
            with pq.ParquetWriter(path, whole.schema) as writer:
                for _ in range(times):
                    writer.write_table(whole, row_group_size=ROWS_OF_A_GROUP)
        elif kind == "arrow":
            with pa.ipc.new_stream(str(path), whole.schema) as writer:
                for _ in range(times):
                    writer.write_table(whole, max_chunksize=ROWS_OF_A_GROUP)
        else:
            write = json_line if kind == "jsonl" else csv_line
            text = "".join(map(write, whole.to_pylist()))
            with open(path, "w", encoding="utf-8") as file:
                file.write("" if kind == "jsonl" else "id,text,url,language,score\n")
                for _ in range(times):
                    file.write(text)


def json_line(row: dict) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def csv_line(row: dict) -> str:
    text = row["text"].replace('"', '""')
    more = row["meta"]
    return f'{row["id"]},"{text}",{row["url"]},{more["language"]},{more["score"]}\n'


def speed(
    files: dict[str, Path], data: bytes, n_rows: int, model: Truecaser, args: argparse.Namespace
) -> None:
    """Print the rates of all ways."""
    n_words = len(data.split())
    seconds: dict[str, list[float]] = {"case_block": [], **{kind: [] for kind in files}}
    for _ in range(args.rounds):
        for name, times in seconds.items():
            start = time.process_time()
            if name == "case_block":
                model.case_block(data, args.threads)
            else:
                out = files[name].with_stem("out")
                case_table(files[name], out, "text", model, threads=args.threads)
            times.append(time.process_time() - start)
    print(f"{n_words:,} words, {n_rows:,} rows, {len(data):,} bytes")
    for name, times in seconds.items():
        pairs = zip(seconds["case_block"], times, strict=True)
        against = statistics.median(block / this for block, this in pairs)
        middle = statistics.median(times)
        print(
            f"{name:12} {n_rows / middle:10,.0f} rows/s {n_words / middle:12,.0f} words/s "
            f"{against:6.3f} of case_block"
        )


def peak(path: Path, args: argparse.Namespace) -> float:
    """Peak resident set of the command in MiB."""
    command = [sys.executable, "-m", "truecase", "table", "-q", "-c", "text"]
    command += ["-m", args.model] if args.model else []
    # Memory does not depend on what decodes.
    command += ["--decode-with", "unigram", "-j", str(args.threads), str(path), "-o", os.devnull]
    return peak_mib(command, tempfile.gettempdir())


if __name__ == "__main__":
    run_script(main)
