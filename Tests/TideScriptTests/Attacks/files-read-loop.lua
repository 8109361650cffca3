-- A file that is not allowed, read for ever.
-- expect: time
while true do pcall(file.read, "/etc/passwd") end
