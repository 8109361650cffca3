-- Warnings for ever, in pieces and with control words.
-- expect: time
warn("@on")
while true do warn("x") warn("x", "y", ("z"):rep(10000)) warn("@off") warn("@on") end
