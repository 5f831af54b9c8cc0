#!/usr/bin/env bash
# What a new user waits for: the size of a clone, and the seconds of `make` in it, with an empty home, empty caches and an
# empty folder for temporary files. It needs the package index, and cores that nothing else uses.
#
#     benchmarks/fresh_clone.sh [TARGET ...]
set -euo pipefail
[ $# -gt 0 ] || set -- install quickstart test test-fast verify
unset MANYBANDITS_MIRROR MANYBANDITS_CACHE XDG_CACHE_HOME OMP_NUM_THREADS
checkout=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet --depth 1 "file://$checkout" "$folder/clone"
mkdir "$folder/home" "$folder/tmp"
cd "$folder/clone"
echo "$(git rev-parse --short HEAD) on $(nproc) cores; the clone has $(du -sm .git | cut -f1) MB"
for target in "$@"; do
    begun=$SECONDS
    HOME="$folder/home" TMPDIR="$folder/tmp" make "$target" > "$folder/log" 2>&1 || { tail -n 30 "$folder/log"; echo "make $target failed"; exit 1; }
    echo "make $target: $((SECONDS - begun)) s"
done
