-- A handler without hooks that works in C.
-- expect: time
xpcall(error, function() return ("a"):rep(30):find(("a?"):rep(30) .. ("a"):rep(30)) end)
while true do end
