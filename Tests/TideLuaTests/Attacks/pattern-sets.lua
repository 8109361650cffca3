-- Long sets, tried at every byte.
-- expect: time
return ("a"):rep(200000):find(("[" .. ("b-y"):rep(2000) .. "]*"):rep(8) .. "z")
