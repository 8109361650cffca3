-- A substitution that finds nothing for a long time.
-- expect: time
return ("x"):rep(30000):gsub(".-.-.-y", "z")
