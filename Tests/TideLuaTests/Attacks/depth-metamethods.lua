-- Metamethods that call themselves through C.
-- expect: depth or error "C stack overflow" or error "stack overflow"
local meta = {}
meta.__index = function(t, k) return t[k + 1] end
local t = setmetatable({}, meta)
return t[1]
