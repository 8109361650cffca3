-- One expression that joins many long texts.
-- expect: memory
local s = ("x"):rep(8 << 20)
return s .. s .. s .. s .. s .. s .. s .. s
