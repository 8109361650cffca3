-- A shell script that stands in for a server: it writes a line every so many seconds until it is
-- told to stop. The one that is called "mailer" gives up after five lines.
return [[
name=$0 pace=$1
echo "INFO $name listens, process $$"
trap 'echo "INFO $name stops"; exit 0' TERM
number=0
while :; do
  number=$((number + 1))
  echo "INFO $name handled request $number"
  if [ "$name" = mailer ] && [ "$number" = 5 ]; then
    echo "ERROR $name has no connection to its host" >&2
    exit 1
  fi
  # In the background, so that the trap is heard at once.
  sleep "$pace" & wait $!
done
]]
