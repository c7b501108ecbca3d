#!/usr/bin/env bash
# Trains the embedded French→English model from a word-aligned bitext.
#
#   scripts/train_french_english.sh BITEXT_DIR PROJECTS_DIR [OUT]
#
# BITEXT_DIR has {train,dev}.{en,fr} with as many lines each, and {train,dev}.align in Pharaoh's form,
# English word first (bench/experiments/prepare_bitext.py makes them); PROJECTS_DIR has
# {train,dev}.project.txt, plain or with .xz, which name the project of each line. Only lines of
# the projects below are used, whose licences ask for no more than to be named.
set -euo pipefail

usage="usage: scripts/train_french_english.sh BITEXT_DIR PROJECTS_DIR [OUT]"
bitext=${1:?$usage}
projects=${2:?$usage}
out=${3:-truecase/data/fr-en.truecase}
licensed='^(cpp|php|python-docs|django-docs|frc-docs|dash-docs)$'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for split in train dev; do
    if [ -f "$projects/$split.project.txt.xz" ]; then
        xz -dc "$projects/$split.project.txt.xz" > "$work/$split.project"
    else
        cp "$projects/$split.project.txt" "$work/$split.project"
    fi
    for side in en fr align; do
        awk -v licensed="$licensed" \
            'NR == FNR { keep[FNR] = $0 ~ licensed; next } keep[FNR]' \
            "$work/$split.project" "$bitext/$split.$side" > "$work/$split.$side"
    done
    # Links the other way round: French is the source.
    sed -E 's/([0-9]+)-([0-9]+)/\2-\1/g' "$work/$split.align" > "$work/$split.fr-en"
done

truecase train --preset bilingual -o "$out" \
    --source "$work/train.fr" --target "$work/train.en" --alignment "$work/train.fr-en" \
    --dev "$work/dev.en" --dev-source "$work/dev.fr" --dev-alignment "$work/dev.fr-en" \
    --segmentation raw --language en --source-language fr --min-count 1 --min-share 0.005 \
    --max-size 3900000 --table-size 700000 \
    --licence "CC BY 4.0 (statistics of texts under CC BY, PSF, CC0, BSD and MIT licences)" \
    --origin "documentation of PHP, C++, Python, Django, FRC and Dash; see fr-en.md"
