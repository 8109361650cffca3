-- Arguments that are one text a thousand times, each of which would be a text of its own.
-- expect: memory or time or error "may have"
local big, arguments = ("x"):rep(1 << 20), {}
for i = 1, 1000 do arguments[i] = big end
process.run("ls", arguments)
