-- An effect that makes effects like itself.
-- expect: error "" or time or depth or memory
local function again() effect(again) end
again()
