-- The project's configuration takes all the memory there is.
-- file: .busted
-- expect: .busted cannot be run: not enough memory
local list = {}
for number = 1, math.huge do list[number] = ('x'):rep(1 << 20) .. number end
