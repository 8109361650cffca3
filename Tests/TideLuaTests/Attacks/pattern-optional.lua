-- The pattern that takes two to the thirtieth steps.
-- expect: time
return ("a"):rep(30):find(("a?"):rep(30) .. ("a"):rep(30))
