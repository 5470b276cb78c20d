#!/usr/bin/env bash
# The time loop under valgrind: nothing leaks, nothing is read that was not written, and a loop a hundred times as
# long asks for memory exactly as often. Argument: the program. Ends with 77 where there is no valgrind.
set -euo pipefail
program=$1
command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# allocations STEPS: how often the heap was asked.
allocations() {
    valgrind --leak-check=full --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=9 \
        --log-file="$log" "$program" "$1" >&2 || { cat "$log" >&2; exit 1; }
    sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' "$log" | tr -d ,
}

few=$(allocations 100)
many=$(allocations 10000)
echo "$few allocations in 100 steps, $many in 10000"
[ -n "$few" ] && [ "$few" = "$many" ]
