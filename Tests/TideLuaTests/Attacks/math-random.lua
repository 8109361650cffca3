-- Ranges at the ends of what a number holds, for ever.
-- expect: time
assert(not pcall(math.random, 0, -1))
assert(not pcall(math.random, 5, 1))
assert(not pcall(math.random, 1, 2, 3))
assert(math.random(math.mininteger, math.maxinteger))
assert(math.random(0))
pcall(math.randomseed, "x")
math.randomseed(math.maxinteger, math.mininteger)
while true do math.random(1 << 62) math.random(1, (1 << 62) + 1) end
