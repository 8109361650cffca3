-- Lengths whose product does not fit in a number.
-- expect: fine
assert(not pcall(string.rep, "x", math.maxinteger))
assert(not pcall(string.rep, "xx", math.maxinteger // 2 + 1))
assert(not pcall(string.rep, "", math.maxinteger, "xy"))
assert(not pcall(string.rep, "x", 1 << 40, "xyz"))
assert(not pcall(string.rep, ("x"):rep(1 << 20), 1 << 44))
