-- Substitutions at every position of long texts, for ever.
-- expect: time
while true do ("x"):rep(100000):gsub("", "") end
