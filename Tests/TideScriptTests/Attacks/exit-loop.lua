-- A script that has asked to leave, and goes on.
-- expect: time
while true do pcall(exit, 0) end
