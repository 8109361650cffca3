-- A numeral of millions of digits, read by everything that reads numerals.
-- expect: time or fine
local s = ("1"):rep(4 << 20)
local h = "0x" .. ("f"):rep(4 << 20)
local z = ("0"):rep(4 << 20) .. "1"
local e = "1e" .. ("9"):rep(1 << 20)
for i = 1, 20 do
  for _, n in ipairs { s, h, z, e } do
    assert(not tonumber(n) or true)
    tonumber(n, 10)
    tonumber(n, 36)
    pcall(function() return n + 1 end)
    pcall(function() return n | 1 end)
    pcall(math.floor, n)
    pcall(string.rep, "x", n)
    pcall(function() for i = n, 1 do end end)
  end
end
