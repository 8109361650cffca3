-- A table that grows under the walk, for ever.
-- expect: time or memory or error "invalid key to 'next'"
local t = { 1 }
while true do
  for k in pairs(t) do t[{}] = k end
end
