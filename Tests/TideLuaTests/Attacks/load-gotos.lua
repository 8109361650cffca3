-- Jumps that wait for labels which never come.
-- expect: time or fine
local s = ("do goto x end "):rep(60000)
for i = 1, 50 do load(s) load(s .. "::x::") end
