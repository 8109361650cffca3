-- A helper that never ends.
-- file: helper.lua
-- arguments: --helper helper.lua --timeout 1
-- expect: the helper helper.lua failed: helper.lua:5: the turn took too long
while true do end
