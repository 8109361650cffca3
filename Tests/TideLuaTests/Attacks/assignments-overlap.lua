-- Several values are assigned to fields, indices and variables that are used in the same statement.
-- expect: fine
local a, i = {}, 1
i, a[i], a[i + 1] = i + 1, 20, 30
assert(i == 2 and a[1] == 20 and a[2] == 30)
local t = { 1, 2, 3 }
t[1], t[2], t[3], t = t[3], t[1], t[2], nil
local function f() local x, y, z = 1, 2, 3 x, y, z = z, x, y return x, y, z end
local x, y, z = f()
assert(x == 3 and y == 1 and z == 2)
local u = {}
do
  local v = u
  v.a, v, v.b = 1, { b = 5 }, 2
  assert(u.a == 1 and u.b == 2)
end
local function g() return u[1], u, u.c end
u[1], u.c = 7, 8
local p, q, r = g()
assert(p == 7 and q == u and r == 8)
