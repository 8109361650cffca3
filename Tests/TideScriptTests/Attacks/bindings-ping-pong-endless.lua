-- The same where each round takes a while, and the script goes on.
-- expect: error ""
transformer("plus", function(n) for i = 1, 1000 do end return n + 1 end)
local objects = {}
for i = 1, 10 do objects[i] = object { n = 0 } end
for i = 1, 10 do pcall(bind, "n -> n | plus", objects[i], objects[i % 10 + 1]) end
for i = 1, 100 do pcall(function() objects[1].n = i end) end
