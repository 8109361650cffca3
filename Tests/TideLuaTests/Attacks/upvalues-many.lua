-- As many upvalues and locals as a function has room for, and more.
-- expect: fine
local names = {}
for i = 1, 300 do names[i] = "v" .. i end
assert(not load("local " .. table.concat(names, ",")))
local some = table.concat(names, ",", 1, 190)
assert(load("local " .. some .. " return function() return " .. some .. " end"))
local nested = "local " .. some .. " return function() local x return function() return " .. some .. " end end"
assert(load(nested))
