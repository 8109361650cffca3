-- Greedy repetitions that take everything and give it back byte by byte.
-- expect: time
return ("a"):rep(200000):match("(.*)(.*)(.*)b")
