-- Frontiers in front of lazy repetitions.
-- expect: time
return ("a "):rep(100000):find(("%f[%w].-"):rep(5) .. "x")
