-- An error at the bottom of a deep stack.
-- expect: error "bottom"
local function deep(n) if n == 0 then error("bottom") end return 1 + deep(n - 1) end
deep(100000)
