-- As many constants as fit.
-- expect: time or fine or memory
local pieces = {}
for i = 1, 140000 do pieces[i] = i + 0.5 end
local s = "return {" .. table.concat(pieces, ",") .. "}"
for i = 1, 20 do load(s) end
