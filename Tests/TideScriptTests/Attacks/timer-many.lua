-- Timers begun for ever.
-- expect: time or memory or error ""
-- leaves: nothing
while true do after(1000, print) end
