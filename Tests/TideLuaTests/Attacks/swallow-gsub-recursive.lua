-- Replacements that replace again and swallow what comes of it.
-- expect: time or given up or depth
local function replace() while true do pcall(string.gsub, "x", "x", replace) end end
string.gsub("x", "x", replace)
