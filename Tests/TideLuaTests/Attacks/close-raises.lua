-- Every closing raises another error.
-- expect: error "closing 1"
local function nest(n)
  local t <close> = setmetatable({}, { __close = function() error("closing " .. n, 0) end })
  if n < 150 then nest(n + 1) end
end
nest(1)
