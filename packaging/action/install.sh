# Puts the command on the PATH: the given package, the command that is there, or the action's own
# files. Nothing is installed by a name that somebody else could register.
set -euo pipefail

target="$RUNNER_TEMP/touchstone"
if [ -z "$PACKAGE" ]; then
  if command -v touchstone > /dev/null; then
    echo "Using $(command -v touchstone)."
    exit 0
  fi
  # The version of the action is the version of the command. Its lock file pins what it is built of.
  cd "$GITHUB_ACTION_PATH"
  npm ci --no-audit --no-fund
  mkdir -p "$RUNNER_TEMP/touchstone-package"
  npm pack --pack-destination "$RUNNER_TEMP/touchstone-package"
  PACKAGE="$(echo "$RUNNER_TEMP"/touchstone-package/touchstone-*.tgz)"
  cd - > /dev/null
fi
npm install --prefix "$target" --no-audit --no-fund "$PACKAGE"
echo "$target/node_modules/.bin" >> "$GITHUB_PATH"
