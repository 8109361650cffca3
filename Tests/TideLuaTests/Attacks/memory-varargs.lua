-- Ever more arguments.
-- expect: depth or error "stack overflow" or memory or time
local function more(...) return more(1, ...) end
more()
