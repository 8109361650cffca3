-- An empty text, repeated for ever.
-- expect: fine
assert((""):rep(math.maxinteger) == "")
assert((""):rep(math.maxinteger, "") == "")
assert(("x"):rep(0) == "" and ("x"):rep(math.mininteger) == "")
