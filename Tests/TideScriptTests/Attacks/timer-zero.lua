-- Timers that are due at once and begin again, for ever.
-- expect: fine
local function again() after(0, again) end
again()
assert(not pcall(every, 0, again))
assert(not pcall(every, -1, again))
pcall(every, 0 / 0, again)
pcall(after, 0 / 0, again)
pcall(after, 1 / 0, again)
pcall(after, -1 / 0, again)
