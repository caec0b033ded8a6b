# Runs `touchstone check` with the inputs of action.yml, and leaves its exit code to the last step.
set -uo pipefail

reports="$RUNNER_TEMP/touchstone-reports/$NAME"
restored="$RUNNER_TEMP/touchstone-baseline/report.json"
mkdir -p "$reports"

arguments=()
if [ -n "$SUITE" ]; then arguments+=(--suite "$SUITE"); fi
if [ -n "$CONFIG" ]; then arguments+=(--config "$CONFIG"); fi
if [ -n "$AGAINST" ]; then
  arguments+=(--against "$AGAINST")
elif [ -f "$restored" ]; then
  arguments+=(--against "$restored")
fi
while IFS= read -r argument; do
  if [ -n "$argument" ]; then arguments+=("$argument"); fi
done <<< "$ARGUMENTS"

# Standard error is kept for the comment, where there is no report to show.
{
  touchstone check ${arguments[@]+"${arguments[@]}"} \
    --report "$reports/report.html" "$reports/report.md" "$reports/report.json" github \
    2>&1 1>&3 | tee "$reports/log.txt" >&2
  code=${PIPESTATUS[0]}
} 3>&1

{
  echo "exit-code=$code"
  echo "reports=$reports"
  # Only a verdict is something to compare with later. A failed one of the default branch is, too.
  if [ "$code" -le 1 ] && [ -f "$reports/report.json" ]; then
    echo "new-baseline=$reports/report.json"
  fi
} >> "$GITHUB_OUTPUT"
