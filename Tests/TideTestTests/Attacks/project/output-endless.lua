-- The project's report never ends.
-- file: src/report.lua
-- arguments: -o report --timeout 1
-- expect: Cannot load output library: report
-- expect: the turn took too long
-- expect: 1 success
while true do end
