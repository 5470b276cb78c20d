#!/usr/bin/env bash
# Hours of fuzzing: bash tests/fuzz/run_fuzz.sh HOURS [SEED]. In turn, with a new seed each round: damaged files and
# random command lines through the usual build, damaged files and random C calls through the build with sanitizers.
# Ends with 1 if anything was wrong. What was found lies in build/finds; a file worth keeping goes to tests/fuzz/finds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
hours=${1:?"hours, please: run_fuzz.sh HOURS [SEED]"}
seed=${2:-$(date +%s)}
end=$(awk "BEGIN { printf \"%d\", $(date +%s) + 3600 * $hours }")
python=/usr/bin/python3
targets=(poisson3d_program poisson3d_read_field poisson3d_c_calls)
for preset in cpu dev; do
    [ -e "build/$preset/CMakeCache.txt" ] || cmake --preset "$preset" -DPOISSON3D_BUILD_TESTS=ON >&2
    nice cmake --build "build/$preset" --target "${targets[@]}" >&2
done
wrong=0
round() { nice -n 19 "$@" || wrong=1; }
while [ "$(date +%s)" -lt "$end" ]; do
    left=$((end - $(date +%s)))
    part=$((left < 1200 ? left / 4 + 1 : 300))
    for preset in cpu dev; do
        sanitized=()
        [ "$preset" = cpu ] || sanitized=(--sanitized)
        round "$python" tests/fuzz/fuzz_files.py --program "build/$preset/bin/poisson3d" "${sanitized[@]}" \
            --reader "build/$preset/tests/fuzz/read_field" --seconds "$part" --seed "$seed" --keep build/finds
    done
    round "$python" tests/fuzz/fuzz_arrays.py --program build/cpu/bin/poisson3d --seconds "$part" --seed "$seed"
    round "$python" tests/fuzz/fuzz_commands.py --program build/cpu/bin/poisson3d --seconds "$part" --seed "$seed"
    round timeout "$((2 * part + 60))" build/dev/tests/fuzz/c_calls 100000 "$seed"
    seed=$((seed + 1))
done
[ "$wrong" = 0 ] && echo "Nothing wrong." || echo "Something was wrong: see above."
exit "$wrong"
