-- The order in which blocks and tests run: given to the host beside the words.

local words = ...
local random, randomseed = math.random, math.randomseed
local sort, unpack = table.sort, table.unpack

--- Positions from 1 to a count as a seed shuffles them.
function words.shuffled(count, by)
  randomseed(by)
  local order = {}
  for index = 1, count do
    order[index] = index
  end
  for index = count, 2, -1 do
    local other = random(index)
    order[index], order[other] = order[other], order[index]
  end
  return unpack(order)
end

--- Positions as names sort them; what has no name comes first. Not a stable order, but the one that
-- Lua's own sorting gives.
function words.sorted(...)
  local names, order = { ... }, {}
  for index = 1, #names do
    order[index] = index
  end
  sort(order, function(left, right)
    local a, b = names[left], names[right]
    if a and b then return a < b end
    return b ~= false
  end)
  return unpack(order)
end
