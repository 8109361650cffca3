-- A function that calls itself.
-- expect: depth or memory
local function deep() return 1 + deep() end
deep()
