-- A program that is not allowed, started for ever.
-- expect: time
while true do pcall(process.start, "ls") pcall(os.execute, "ls") pcall(io.popen, "ls") end
