#!/bin/sh
# From nothing to a first reviewed commit, in a throw-away folder: a broker whose reviewers check rules and need no model, a
# repository set up with `holdfast init`, a commit that the gate stops, its review, and the same commit let through.
#
#   sh docs/first-commit.sh      needs holdfast and git on the PATH; touches neither your broker nor your settings
set -eu

command -v holdfast >/dev/null || {
    echo 'first-commit.sh: holdfast is not on the PATH; from its source folder: ln -s "$PWD/holdfast" ~/.local/bin/' >&2
    exit 1
}
folder=$(mktemp -d)
broker=
finish() {
    if [ -n "$broker" ]; then kill "$broker" 2>/dev/null && wait "$broker" 2>/dev/null; fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

step() { if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi; }

mkdir "$folder/home" "$folder/shop"
HOME=$folder/home
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME HOLDFAST_AGENT HOLDFAST_CONFIG HOLDFAST_DATA HOLDFAST_DATABASE
export HOME
git config --global user.name Ann
git config --global user.email ann@example.org
cd "$folder/shop"

step 'A repository, and a broker that reviews'
git init -q -b main
printf 'def total(xs):\n    return sum(xs)\n' >shop.py
git add . && git commit -q -m 'First'
holdfast serve --port 0 --data "$folder/data" --reviewers rules >"$folder/serve.log" 2>&1 &
broker=$!
until HOLDFAST_URL=$(sed -n 's/^holdfast is ready on \([^ ]*\) .*/\1/p' "$folder/serve.log") && [ -n "$HOLDFAST_URL" ]; do
    kill -0 "$broker" || { cat "$folder/serve.log"; exit 1; }
    sleep 0.2
done
export HOLDFAST_URL

step 'holdfast init'
holdfast init --yes --for claude
git add . && git commit -q --no-verify -m 'Set up Holdfast' # what init wrote is yours to look through

step 'A change: the gate stops it'
printf '\n\ndef mean(xs):\n    return total(xs) / len(xs) if xs else 0\n' >>shop.py
printf 'from shop import mean\n\n\ndef test_mean():\n    assert mean([1, 3]) == 2\n' >test_shop.py
git add .
if git commit -q -m 'Add the mean'; then exit 1; fi

step 'Its review'
holdfast gate --propose --intent 'Add the mean of a list'
review=$(holdfast review list --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
holdfast review wait "$review" --wait 50s
holdfast review show "$review" --no-diff

step 'The same commit passes'
git commit -q -m 'Add the mean'
holdfast review close "$review"
git log --oneline
