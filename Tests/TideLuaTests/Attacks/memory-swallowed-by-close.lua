-- What is to be closed eats memory once memory is out.
-- expect: memory or time
local keep = {}
local function eat() while true do keep[#keep + 1] = { keep } end end
local function nest(n)
  local t <close> = setmetatable({}, { __close = eat })
  if n > 0 then nest(n - 1) else eat() end
end
nest(50)
