-- Timers that cancel themselves and each other.
-- expect: fine
local first, second
first = every(0.001, function() first:cancel() second:cancel() end)
second = every(0.001, function() first:cancel() second:cancel() end)
local third
third = after(0, function() third:cancel() end)
