-- An iteration whose next match is never found.
-- expect: time
for w in ("a"):rep(30000):gmatch(".-.-.-b") do end
