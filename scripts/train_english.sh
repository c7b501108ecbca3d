#!/usr/bin/env bash
# Trains the embedded English model from a folder of naturally cased text.
#
#   scripts/train_english.sh CORPUS_DIR DEV [OUT [large]]
#
# CORPUS_DIR holds naturally cased text in *.txt, *.txt.gz, *.txt.xz, …; a file whose name
# starts with "news-wmt" is left out (its licence does not allow redistribution). Most of it is one
# sentence a line, but what models are used on is not: in "short" stand sentences of one to three
# words ("She smiled."), in "paragraphs" several sentences a line. Each sentence once, in its natural
# frequency: short ones twenty times over cost accuracy (docs/experiments/trials.md). DEV is the
# development text of the Wikipedia benchmark (CC BY-SA), which the last passes of training go
# over. The options are those chosen on development text; the same text gives the same bytes.
# Takes about 11 CPU minutes and 3 GB for 85 million words, of which scripts/english_text.py makes those of
# today; the *large* model, of 90 MB, which is not in the package, 19 CPU minutes and 4 GB.
set -euo pipefail

usage="usage: scripts/train_english.sh CORPUS_DIR DEV [OUT [large]]"
corpus=${1:?$usage}
dev=${2:?$usage}
out=${3:-truecase/data/en.truecase}
case "${4:-small}" in
    small) size=(--min-count 3 --min-share 0.01 --max-size 14700000 --sparse-size 9800000 --epochs 2) ;;
    large) size=(--min-count 2 --min-share 0.002 --max-size 148000000 --sparse-size 105000000 --epochs 3) ;;
    *) echo "scripts/train_english.sh: $4: expected large, or nothing" >&2; exit 2 ;;
esac

files=()
for file in "$corpus"/*.txt "$corpus"/*.txt.*; do
    case "$(basename "$file")" in
        news-wmt*) ;;
        *) [ -f "$file" ] && files+=("$file") ;;
    esac
done
if [ ${#files[@]} -eq 0 ]; then
    echo "scripts/train_english.sh: $corpus: no .txt file, plain or compressed" >&2
    exit 1
fi

# A sentence that is also a line by itself would be known to the model that it is held out from.
once=$(mktemp -d)
trap 'rm -rf "$once"' EXIT
python "$(dirname "$0")/each_sentence_once.py" "$corpus"/paragraphs.txt* "$once" "${files[@]}"

truecase train "$once"/*.txt -o "$out" --dev "$dev" \
    --preset crf-sparse --order 3 --segmentation raw --language en --smartcase \
    "${size[@]}" --folds 3 --drop-punctuation 0.3 \
    --licence "CC BY-SA 4.0 (statistics of texts under CC BY-SA, CC BY, MIT, Apache 2.0, BSD and public domain)" \
    --origin "English Wikipedia, OpenStax, UN debates, novels, documentation; see en.md"
