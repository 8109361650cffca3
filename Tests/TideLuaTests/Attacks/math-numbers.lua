-- Numbers that are none, everywhere.
-- expect: fine
local nan, inf = 0 / 0, 1 / 0
for name, f in pairs(math) do
  if type(f) == "function" and name ~= "randomseed" then
    for _, a in ipairs { inf, -inf, 0, -0.0, math.maxinteger, math.mininteger, 1e308, "0x10", "x" } do
      pcall(f, a)
      pcall(f, nan)
      pcall(f, a, nan)
      for _, b in ipairs { inf, -inf, 0, -1, math.mininteger } do pcall(f, a, b) end
    end
  end
end
assert(not pcall(function() return ({})[nan] or error("x") end))
assert(not pcall(function() ({})[nan] = 1 end))
assert(not pcall(rawset, {}, nan, 1))
assert(not pcall(rawset, {}, nil, 1))
assert(not pcall(function() for i = 1, 10, 0 do end end))
for i = math.maxinteger - 1, math.maxinteger do end
for i = math.mininteger + 1, math.mininteger, -1 do end
for i = 1, inf do if i > 10 then break end end
assert(not pcall(function() for i = 1, 2, nan do end error("x") end))
