-- Very many bindings of one source.
-- expect: time or memory or error "" or fine
-- leaves: nothing
local a, b = object { n = 0 }, object { n = 0 }
while true do bind("n -> n", a, object { n = 0 }) end
