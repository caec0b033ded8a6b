# Runs `touchstone check` with the inputs of action.yml, and leaves its exit code to the last step.
set -uo pipefail

reports="$RUNNER_TEMP/touchstone-reports/$NAME"
restored="$RUNNER_TEMP/touchstone-baseline/$NAME/report.json"
# Where a runner unpacks an artifact that it wasn't given a folder for.
unpacked="$RUNNER_TEMP/touchstone-baseline/report.json"
# A report of an earlier run on the same machine is not one of this run.
rm -rf "$reports"
mkdir -p "$reports"

# What was merged is what later runs are compared with. Other events, such as pull_request_target and
# workflow_run, name the default branch too but may check the files of a pull request.
keeps_baseline=false
case "${GITHUB_EVENT_NAME:-}" in
  push | schedule | workflow_dispatch)
    branch="${DEFAULT_BRANCH:-}"
    if [ "${GITHUB_REF_NAME:-$branch}" = "${branch:-${GITHUB_REF_NAME:-}}" ]; then keeps_baseline=true; fi
    ;;
esac

arguments=()
if [ -n "$SUITE" ]; then arguments+=(--suite "$SUITE"); fi
if [ -n "$CONFIG" ]; then arguments+=(--config "$CONFIG"); fi
if [ -n "$AGAINST" ]; then
  arguments+=(--against "$AGAINST")
elif [ -f "$restored" ]; then
  arguments+=(--against "$restored")
elif [ -f "$unpacked" ]; then
  arguments+=(--against "$unpacked")
elif [ -n "${BASELINE_RUN:-}" ]; then
  missing="The baseline of run $BASELINE_RUN was found, but there is no report.json in its artifact."
  if $keeps_baseline; then
    echo "::warning title=New baseline::$missing This run uploads a new one."
  else
    # Without it the check would compare with nothing, and pass. The comment shows the log.
    echo "$missing Run this job again. If it stays so, run the workflow on the default branch, which uploads a new baseline." |
      tee "$reports/log.txt" >&2
    { echo "exit-code=2"; echo "reports=$reports"; } >> "$GITHUB_OUTPUT"
    exit 0
  fi
fi
if $keeps_baseline; then arguments+=(--new-baseline); fi
if [ "${OWN_ADDRESSES:-false}" = true ]; then arguments+=(--own-addresses); fi
while IFS= read -r argument; do
  if [ -n "$argument" ]; then arguments+=("$argument"); fi
done <<< "$ARGUMENTS"

# Standard error is kept for the comment, where there is no report to show. The Markdown report is
# the comment, so it is the short one; the others have everything.
{
  touchstone check ${arguments[@]+"${arguments[@]}"} --short \
    --report "$reports/report.html" "$reports/report.md" "$reports/report.json" github \
    2>&1 1>&3 | tee "$reports/log.txt" >&2
  code=${PIPESTATUS[0]}
} 3>&1

{
  echo "exit-code=$code"
  echo "reports=$reports"
  # Only a verdict is something to compare with later. A failed one of the default branch is, too.
  if $keeps_baseline && [ "$code" -le 1 ] && [ -f "$reports/report.json" ]; then
    echo "new-baseline=$reports/report.json"
  fi
} >> "$GITHUB_OUTPUT"
