-- As many labels as fit.
-- expect: time or fine
local pieces = {}
for i = 1, 100000 do pieces[i] = "::l" .. i .. "::" end
for i = 1, 20 do load(table.concat(pieces)) end
