-- An iteration over empty matches in a long text.
-- expect: time
while true do for w in ("a"):rep(1000000):gmatch("") do end end
