-- Compares two values by content, and finds their first difference.
--
--   compare.deepcompare({ 1, { 2 } }, { 1, { 3 } })   --> false, { 1, 2 }
--
-- The second result is the path to the first difference, innermost key first.

local util = require "luassert.util"

local compare = {}

local metatable_of = debug and debug.getmetatable or getmetatable

local same

-- Pairs of tables that were compared before count as equal, because a difference would have ended
-- the comparison. In a cycle, a pair counts as equal after three rounds. The path to a difference
-- behind a cycle therefore goes around it three times, as in luassert. Tables without inner tables,
-- which are the most frequent, are not recorded.
local ROUNDS = 3

local function entered(walk, a, b)
  local partners = walk[a]
  if not partners then
    partners = {}
    walk[a] = partners
  end
  local rounds = partners[b] or 0
  if rounds == ROUNDS then
    return nil
  end
  partners[b] = rounds + 1
  return partners
end

-- `owner` and `partner` have the contents `a` and `b`: they are the tables themselves, or a host's
-- values.
local function same_contents(a, b, walk, owner, partner)
  local written
  for key, value in next, a do
    local other = b[key]
    if other == nil then
      return false, { key }
    end
    if not rawequal(value, other) then
      local kind = not written and type(value)
      if kind == "table" or kind == "userdata" then
        written = entered(walk, owner, partner)
        if not written then
          return true
        end
      end
      local equal, way = same(value, other, walk)
      if not equal then
        way = way or {}
        way[#way + 1] = key
        return false, way
      end
    end
  end
  for key in next, b do
    if a[key] == nil then
      return false, { key }
    end
  end
  if written then
    written[partner] = ROUNDS
  end
  return true
end

-- A host's values are compared by the contents that the host reports. A table may equal such a
-- value.
local function same_hosted(a, b, walk)
  local inner_a, inner_b = util.contents_of(a), util.contents_of(b)
  if type(inner_a) ~= "table" or type(inner_b) ~= "table" then
    return a == b
  end
  return same_contents(inner_a, inner_b, walk, a, b)
end

function same(a, b, walk)
  local type_a, type_b = type(a), type(b)
  if type_a ~= "table" or type_b ~= "table" then
    if util.contents and (type_a == "userdata" or type_b == "userdata") then
      return same_hosted(a, b, walk)
    end
    return a == b
  end
  local metatable = metatable_of(a)
  if metatable and metatable == metatable_of(b) and metatable.__eq then
    return a == b
  end
  return same_contents(a, b, walk, a, b)
end

--- Compares by content. `ignore_eq` ignores the `__eq` of the two values themselves; those of inner
--- values are called.
function compare.deepcompare(a, b, ignore_eq)
  if rawequal(a, b) then
    return true
  end
  local walk = {}
  if ignore_eq and type(a) == "table" and type(b) == "table" then
    return same_contents(a, b, walk, a, b)
  end
  return same(a, b, walk)
end

local function repeats(tables)
  for i = 1, #tables do
    for j = i + 1, #tables do
      if tables[i] == tables[j] or tables[j] == tables[i] then
        return true
      end
    end
  end
end

--- Whether no value occurs twice in a table; `deep` compares by content.
function compare.unique(list, deep)
  if deep then
    for key, value in next, list do
      for other_key, other in next, list do
        if key ~= other_key and (value == other or compare.deepcompare(value, other, true)) then
          return false
        end
      end
    end
    return true
  end
  local seen, tables, overloaded = {}, {}, false
  for _, value in next, list do
    if seen[value] then
      return false
    end
    -- NaN equals no value, not even itself, and cannot be a key.
    if value == value then
      seen[value] = true
    end
    if type(value) == "table" then
      local metatable = metatable_of(value)
      overloaded = overloaded or metatable ~= nil and metatable.__eq ~= nil
      tables[#tables + 1] = value
    end
  end
  -- Tables with an `__eq` have to be compared in pairs.
  return not (overloaded and repeats(tables))
end

return compare
