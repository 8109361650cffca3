-- Errors with long texts, all of which are listed.
-- expect: fine or error "xxx"
local s = ("x"):rep(4000000)
for i = 1, 40 do after(0, function() error(s .. i) end) end
for i = 1, 40 do after(0, function() error { s .. i } end) end
