-- Lines printed for ever.
-- expect: time
while true do print("x") end
