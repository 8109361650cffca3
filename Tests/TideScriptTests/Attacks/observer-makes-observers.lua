-- Each delivery makes two more observers.
-- expect: error "" or time or memory
local o = object { n = 0 }
local function watch() observe(o, "n", function() watch() watch() o.n = o.n + 1 end) end
watch()
while true do o.n = o.n + 1 end
