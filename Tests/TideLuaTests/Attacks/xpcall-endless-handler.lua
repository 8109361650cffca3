-- Lua runs no hook in a message handler.
-- expect: time
xpcall(function() error("x") end, function() while true do end end)
