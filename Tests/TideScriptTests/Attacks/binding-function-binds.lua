-- A binding to a function that binds again.
-- expect: error "" or time or depth or memory
local o = object { n = 0, m = 0 }
local function again() bind(o, "m", again) return o.n end
bind(o, "n", again)
