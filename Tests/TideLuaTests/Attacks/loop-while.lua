-- The plain endless loop.
-- expect: time
while true do end
