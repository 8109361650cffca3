-- A set as long as a text may be, tried at every byte.
-- expect: time
local set = "[" .. ("b"):rep(1 << 16) .. "]"
return ("a"):rep(1 << 20):find(set)
