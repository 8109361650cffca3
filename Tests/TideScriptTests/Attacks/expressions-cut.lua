-- Expressions cut at every byte, and long ones.
-- expect: fine or error ""
local o, p = object { n = 0 }, object { n = 0 }
local whole = "a[1].b.@sum.c?.d <> e.f | scale(2, 'x\\'y') | format(\"%d\") [observe] -> x"
for i = 0, #whole do
  pcall(binding, whole:sub(1, i))
  pcall(bind, whole:sub(i), o, p)
  pcall(observe, o, whole:sub(1, i), print)
end
for _, long in ipairs { ("n."):rep(100000) .. "n", ("("):rep(100000), "n -> n" .. (" | not"):rep(20000), ("x"):rep(1000000) } do
  pcall(bind, long, o, p)
  pcall(observe, o, long, print)
end
