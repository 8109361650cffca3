-- Closing that recurs.
-- expect: depth or error "stack overflow" or error "C stack"
local meta = {}
function meta.__close()
  local t <close> = setmetatable({}, meta)
end
do local t <close> = setmetatable({}, meta) end
