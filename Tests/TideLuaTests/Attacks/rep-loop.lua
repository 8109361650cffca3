-- Long texts are made and dropped for ever.
-- expect: time
while true do ("x"):rep(8 << 20) end
