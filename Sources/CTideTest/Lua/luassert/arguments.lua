-- Lists of arguments. Their field `n` is the number of arguments, nils included.

local arguments = {}

local ArgumentList = {}

--- Packs values into a list with their count.
arguments.pack = table.pack

--- Unpacks a list, by its `n` if it has one, and otherwise by its length.
function arguments.unpack(list, first, last)
  return table.unpack(list, first or 1, last or list.n or #list)
end

--- Makes a list that messages show as `(values list) (…)`.
function arguments.make_arglist(...)
  return setmetatable({ n = select("#", ...), ... }, ArgumentList)
end

function arguments.is_arglist(value)
  return getmetatable(value) == ArgumentList
end

--- Records a call's arguments twice: as copies (`vals`) and as references (`refs`). A spec asks a
--- spy later, when the originals may have changed.
function arguments.copyargs(list)
  local copy = require "luassert.copy"
  local vals = copy.deepcopy(list)
  local refs = copy.shallowcopy(list)
  return { vals = vals, refs = refs }
end

function arguments.cleararglist(list)
  for i = 1, list.n do
    list[i] = nil
  end
  list.n = 0
end

--- `table.insert` for a list with nils.
function arguments.tinsert(list, ...)
  local given = select("#", ...)
  local n = list.n or #list
  local position, value = ...
  if given < 2 then
    position, value = n + 1, (...)
  end
  for i = n, position, -1 do
    list[i + 1] = list[i]
  end
  list[position] = value
  list.n = math.max(n + 1, position)
end

--- `table.remove` for a list with nils.
function arguments.tremove(list, position)
  local n = list.n or #list
  position = position or n
  local removed = list[position]
  for i = position, n do
    list[i] = list[i + 1]
  end
  list.n = math.max(n - 1, 0)
  return removed
end

return arguments
