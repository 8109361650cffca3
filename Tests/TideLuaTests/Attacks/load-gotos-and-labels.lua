-- Every label is held against all the jumps that still wait: one text takes many seconds.
-- expect: time
local pieces = { ("goto x "):rep(70000) }
for i = 1, 50000 do pieces[#pieces + 1] = "::l" .. i .. "::" end
load(table.concat(pieces))
while true do end
