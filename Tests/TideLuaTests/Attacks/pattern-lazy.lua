-- Three lazy repetitions over a long text.
-- expect: time
return ("a"):rep(1000000):find(".-.-.-b")
