-- Objects made and dropped for ever.
-- expect: time or memory
while true do object { a = 1, b = "x", c = {} } end
