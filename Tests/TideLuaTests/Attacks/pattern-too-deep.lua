-- Captures and repetitions beyond what is allowed.
-- expect: fine
assert(not pcall(string.find, "a", ("("):rep(40) .. (")"):rep(40)))
assert(not pcall(string.find, ("a"):rep(1000), ("a?"):rep(1000)))
assert(not pcall(string.find, "a", "%9"))
assert(not pcall(string.find, "a", "(a"))
assert(not pcall(string.match, "a", "a)"))
