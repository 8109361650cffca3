-- Classes that inherit very many properties, of which each has a copy.
-- expect: memory
local fields = {}
for i = 1, 1000 do fields["p" .. i] = i end
local base = class "Base" (fields)
local n = 0
while true do
  n = n + 1
  class("C" .. n, base) { own = n }
end
