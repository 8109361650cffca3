-- A move of nothing, as far as numbers go.
-- expect: time
table.move({}, 1, math.maxinteger - 1, 2)
