-- An exploding search whose end is swallowed.
-- expect: time
while true do pcall(string.find, ("a"):rep(30), ("a?"):rep(30) .. ("a"):rep(30)) end
