-- A loop whose body is empty.
-- expect: time
for i = 1, math.maxinteger do end
for i = 1.0, math.huge do end
