#!/usr/bin/env bash
# Trains the embedded French→English model from a word-aligned bitext.
#
#   scripts/train_french_english.sh BITEXT_DIR PROJECTS_DIR OUT [OTHER_BITEXT_DIR ...]
#
# BITEXT_DIR has {train,dev}.{en,fr} with as many lines each, and {train,dev}.align in Pharaoh's form,
# English word first (bench/experiments/prepare_bitext.py makes them); PROJECTS_DIR has
# train.project.txt, plain or with .xz, which names the project of each line. The model is one of
# lines of the projects below, whose licences ask for no more than to be named. The weights of its
# features, some hundred numbers, are learned on the first 1,000 lines of BITEXT_DIR's dev.* and the
# first 300 of each other folder's: on projects and kinds of text that the training text does not
# have, too, since a model that is weighed on what it knows drops names that it does not know, though
# they stand in the source; but mostly on text of the kind that it is for.
set -euo pipefail

usage="usage: scripts/train_french_english.sh BITEXT_DIR PROJECTS_DIR OUT [OTHER_BITEXT_DIR ...]"
bitext=${1:?$usage}
projects=${2:?$usage}
out=${3:?$usage}
shift 3
licensed='^(cpp|php|python-docs|django-docs|frc-docs|dash-docs)$'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -f "$projects/train.project.txt.xz" ]; then
    xz -dc "$projects/train.project.txt.xz" > "$work/project"
else
    cp "$projects/train.project.txt" "$work/project"
fi
for side in en fr align; do
    awk -v licensed="$licensed" \
        'NR == FNR { keep[FNR] = $0 ~ licensed; next } keep[FNR]' \
        "$work/project" "$bitext/train.$side" > "$work/train.$side"
    head -n 1000 "$bitext/dev.$side" > "$work/dev.$side"
    for folder in "$@"; do
        head -n 300 "$folder/dev.$side"
    done >> "$work/dev.$side"
done
# Links the other way round: French is the source.
for part in train dev; do
    sed -E 's/([0-9]+)-([0-9]+)/\2-\1/g' "$work/$part.align" > "$work/$part.fr-en"
done

truecase train --preset bilingual -o "$out" \
    --source "$work/train.fr" --target "$work/train.en" --alignment "$work/train.fr-en" \
    --dev "$work/dev.en" --dev-source "$work/dev.fr" --dev-alignment "$work/dev.fr-en" \
    --segmentation raw --language en --source-language fr --min-count 1 --min-share 0.005 \
    --max-size 3900000 --table-size 700000 \
    --licence "CC BY 4.0 (statistics of texts under CC BY, PSF, CC0, BSD and MIT licences)" \
    --origin "documentation of PHP, C++, Python, Django, FRC and Dash; see fr-en.md"
