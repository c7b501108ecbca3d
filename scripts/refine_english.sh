#!/usr/bin/env bash
# Refines an English model on all of the text that it was trained on.
#
#   scripts/refine_english.sh CORPUS_DIR DEV MODEL OUT [REFINE_OPTION...]
#
# CORPUS_DIR, DEV: as given to scripts/train_english.sh, which made MODEL. The text is cut in thirds; a
# model like MODEL is trained on each two of them, and the layer learns from what each decides of the
# third that it has not seen. Takes about 27 CPU minutes for the models of 85 million words and 10 for
# each of the two passes of the layer. A calibration is to be learned anew afterwards, and a cascade can
# be (scripts/add_cascade.py).
set -euo pipefail

usage="usage: scripts/refine_english.sh CORPUS_DIR DEV MODEL OUT [REFINE_OPTION...]"
corpus=${1:?$usage}
dev=${2:?$usage}
model=${3:?$usage}
out=${4:?$usage}
shift 4

scripts=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=()
for file in "$corpus"/*.txt "$corpus"/*.txt.*; do
    case "$(basename "$file")" in
        news-wmt*) ;;
        *) [ -f "$file" ] && files+=("$file") ;;
    esac
done
python "$scripts/each_sentence_once.py" "$corpus"/paragraphs.txt* "$work/once" "${files[@]}"
python "$scripts/split_in_parts.py" 3 "$work/parts" "$work/once"/*.txt
unseen=()
for part in 0 1 2; do
    # Its paragraphs.txt is cleared of nothing more: each sentence stands once already.
    "$scripts/train_english.sh" "$work/parts/without-$part" "$dev" "$work/without-$part.truecase"
    unseen+=(--unseen "$work/without-$part.truecase" "$work/parts/part-$part"/*.txt)
done
truecase train refine "$model" "${unseen[@]}" -o "$out" "$@"
