-- As many code points as the stack can hold.
-- expect: depth or error "too" or memory
return select("#", utf8.codepoint(("x"):rep(4 << 20), 1, -1))
