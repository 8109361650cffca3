-- Counts of results that overflow.
-- expect: fine
assert(not pcall(table.unpack, {}, 1, math.maxinteger))
assert(not pcall(table.unpack, {}, math.mininteger, math.maxinteger))
assert(not pcall(table.unpack, {}, 0, math.maxinteger))
assert(select("#", table.unpack({}, math.maxinteger, math.maxinteger)) == 1)
assert(select("#", table.unpack({}, math.maxinteger, math.mininteger)) == 0)
