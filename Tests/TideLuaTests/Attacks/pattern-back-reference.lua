-- Back references to captures of every length.
-- expect: time
return ("a"):rep(20000):find("(.-)(.-)%1%2b")
