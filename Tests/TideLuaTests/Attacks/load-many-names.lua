-- Sources full of names, labels and jumps: each jump looks at every label.
-- expect: time
local pieces = {}
for i = 1, 30000 do pieces[i] = "goto l" .. i .. " " end
for i = 1, 30000 do pieces[#pieces + 1] = "::l" .. i .. "::" end
local s = table.concat(pieces)
local names = {}
for i = 1, 60000 do names[i] = "v" .. i .. "=" .. i end
local t = table.concat(names, " ")
while true do load(s) load(t) end
