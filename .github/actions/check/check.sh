#!/usr/bin/env bash
# Checks the world at $ORIGIN: a JUnit report at $JUNIT, a badge at $BADGE, and the exit code of `world check`.
set -uo pipefail

case "$VERSION" in
  */*) package=$VERSION ;;
  *) package=worldwright@$VERSION ;;
esac
read -ra arguments <<<"$ARGUMENTS"
npx --yes --package "$package" -- world check "$ORIGIN" --format junit "${arguments[@]}" >"$JUNIT"
code=$?

# The counts of the report say how many; without a report there is nothing to count.
total=$(grep -c '<testcase' "$JUNIT")
failed=$(grep -c '<failure' "$JUNIT")
skipped=$(grep -c '<skipped' "$JUNIT")
if [ "$code" -eq 0 ]; then
  message="$((total - skipped)) passed" color=brightgreen
elif [ "$total" -gt 0 ]; then
  message="$failed failed" color=red
else
  message='not checked' color=lightgrey
fi
printf '{"schemaVersion":1,"label":"world/0.1","message":"%s","color":"%s"}\n' "$message" "$color" >"$BADGE"
printf 'world check %s: %s\n' "$ORIGIN" "$message"
exit "$code"
