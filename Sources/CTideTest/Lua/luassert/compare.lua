-- Whether two values are the same by content, and where they differ first.
--
--   compare.deepcompare({ 1, { 2 } }, { 1, { 3 } })   --> false, { 1, 2 }
--
-- The second result is the way to the first difference, innermost key first.

local util = require "luassert.util"

local compare = {}

local metatable_of = debug and debug.getmetatable or getmetatable

-- Pairs of tables that are being compared, or were, count as the same: either a difference
-- turns up elsewhere and settles it, or there is none. That makes cycles end and keeps
-- shared parts from being walked again. Only tables with tables in them are written down,
-- and not the first ones, since most comparisons are over before it would pay.
local UNRECORDED = 200

local same

local function recorded(walk, a, b)
  walk.count = walk.count + 1
  if walk.count <= UNRECORDED then
    return false
  end
  local partners = walk[a]
  if not partners then
    partners = {}
    walk[a] = partners
  elseif partners[b] then
    return true
  end
  partners[b] = true
  return false
end

-- `owner` and `partner` are what the contents are of: the tables themselves, or a host's values.
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
        if recorded(walk, owner, partner) then
          return true
        end
        written = true
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
  return true
end

-- A host's values are compared by what the host says is in them; a table may stand for one.
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
  if not walk.ignore_eq then
    local metatable = metatable_of(a)
    if metatable and metatable == metatable_of(b) and metatable.__eq then
      return a == b
    end
  end
  return same_contents(a, b, walk, a, b)
end

--- Compares by content. `ignore_eq` looks into tables that have an `__eq` of their own too.
function compare.deepcompare(a, b, ignore_eq)
  if rawequal(a, b) then
    return true
  end
  return same(a, b, { count = 0, ignore_eq = ignore_eq })
end

--- Whether no value occurs twice in a table; `deep` goes by content.
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
  local seen, special = {}, {}
  for _, value in next, list do
    if seen[value] then
      return false
    end
    -- Not a number is equal to nothing, itself included, and cannot be a key.
    if value == value then
      seen[value] = true
    end
    local metatable = type(value) == "table" and metatable_of(value)
    if metatable and metatable.__eq then
      for _, other in ipairs(special) do
        if value == other then
          return false
        end
      end
      table.insert(special, value)
    end
  end
  return true
end

return compare
