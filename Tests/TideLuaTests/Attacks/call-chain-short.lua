-- A short chain is an ordinary one, after a turn was stopped in one as well.
-- expect: fine
local t = function(...) return select("#", ...) end
for i = 1, 10 do t = setmetatable({}, { __call = t }) end
assert(t(1, 2) == 12)
assert(pcall(t))
