-- A pcall inside of a pcall, as deep as the C stack goes, each of which loops on.
-- expect: time
local function deeper() while true do pcall(deeper) end end
deeper()
