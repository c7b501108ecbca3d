#!/usr/bin/env bash
# Trains the embedded English model from a folder of naturally cased text.
#
#   scripts/train_english.sh CORPUS_DIR [OUT]
#
# CORPUS_DIR holds one sentence per line in *.txt, *.txt.gz, *.txt.xz, …; a file whose name
# starts with "news-wmt" is left out (its licence does not allow redistribution). The options
# are those chosen on development text with bench/experiments/choices.py; the same text gives
# the same bytes. Takes 45 seconds and 3.3 GB for 62 million words on two cores.
set -euo pipefail

corpus=${1:?usage: scripts/train_english.sh CORPUS_DIR [OUT]}
out=${2:-truecase/data/en.truecase}

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

truecase train "${files[@]}" -o "$out" \
    --preset trigram --order 3 --segmentation raw --language en --smartcase \
    --min-count 3 --max-size 12000000 \
    --licence "CC BY-SA 4.0 (statistics of texts under CC BY-SA, CC BY and public domain)" \
    --origin "English Wikipedia, OpenStax, UN debates, novels, documentation; see en.md"
