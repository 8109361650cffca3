-- The order in which blocks and tests run. The host receives it together with the words.

local words = ...
local random, randomseed = math.random, math.randomseed
local sort, unpack = table.sort, table.unpack

--- The positions from 1 to a count, shuffled by a seed.
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

--- The positions sorted by name; those without a name come first. The order is that of Lua's own
--- sorting, which is not stable.
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
