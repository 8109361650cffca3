-- A plain search that compares long prefixes at every position.
-- expect: time or fine
local text = ("a"):rep(4 << 20)
for i = 1, 1000 do text:find(("a"):rep(1 << 20) .. "b", 1, true) end
