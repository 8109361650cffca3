#!/bin/sh
# Stands in for a server: sh worker.sh NAME SECONDS writes a line every so many seconds until it is
# told to stop. The one that is called "mailer" gives up after five lines.
echo "INFO $1 listens, process $$"
trap 'echo "INFO $1 stops"; exit 0' TERM
number=0
while :; do
  number=$((number + 1))
  echo "INFO $1 handled request $number"
  if [ "$1" = mailer ] && [ "$number" = 5 ]; then
    echo "ERROR $1 has no connection to its host" >&2
    exit 1
  fi
  # In the background, so that the trap is heard at once.
  sleep "$2" & wait $!
done
