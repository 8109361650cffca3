-- A file that is not allowed, opened for ever with a path full of dots.
-- expect: time
local path = ("../"):rep(1000) .. "etc/passwd"
while true do pcall(io.open, path) end
