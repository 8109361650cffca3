-- Long brackets and comments that never end.
-- expect: time
local s = "--[" .. ("="):rep(400000) .. "[" .. ("]" .. ("="):rep(100)):rep(4000)
local t = "return '" .. ("\\z "):rep(300000)
local u = "return '" .. ("\\u{7FFFFFFF}"):rep(80000) .. "'"
while true do load(s) load(t) load(u) end
