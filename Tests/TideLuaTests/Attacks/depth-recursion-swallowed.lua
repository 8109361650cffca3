-- The same, going on after each overflow.
-- An overflow unwinds a deep stack, which nothing stops: a busy machine may give it up, some 3 in 100.
-- expect: time or given up
local function deep() return 1 + deep() end
while true do pcall(deep) end
