-- The whole match, many times over.
-- expect: memory or error "too large"
return ("x"):rep(1 << 20):gsub(".*", ("%0"):rep(1000))
