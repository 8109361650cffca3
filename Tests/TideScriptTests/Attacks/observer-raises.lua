-- Errors of every kind in observers.
-- expect: error "boom"
local o = object { n = 0 }
observe(o, "n", function() error("boom") end)
observe(o, "n", function() error({}) end)
observe(o, "n", function() error(setmetatable({}, { __tostring = function() error("again") end })) end)
observe(o, "n", function() error() end)
for i = 1, 10 do o.n = i end
