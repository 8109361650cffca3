-- An error whose __tostring takes all memory.
-- expect: error "" or memory
error(setmetatable({}, { __tostring = function() return ("x"):rep(31 << 20) end }))
