-- Each byte becomes a hundred thousand.
-- expect: memory or error "too large"
return ("x"):rep(100000):gsub(".", ("y"):rep(100000))
