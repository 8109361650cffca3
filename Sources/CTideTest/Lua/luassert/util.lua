-- The functions of `luassert.util`, which specs and other libraries require by that name. Separate
-- modules contain them, and each is loaded on first use.
--
-- A host that has values of its own sets one field, to report their contents:
--
--   util.contents = function(userdata) return { … } end   -- or nil: no contents
--
-- `assert.same` then compares such a value with another, or with a table, by content, and
-- messages show it like a table.

local util = {}

local homes = {
  deepcompare = "luassert.compare",
  deepcopy = "luassert.copy",
  shallowcopy = "luassert.copy",
  pack = "luassert.arguments",
  unpack = "luassert.arguments",
  make_arglist = "luassert.arguments",
  is_arglist = "luassert.arguments",
  copyargs = "luassert.arguments",
  cleararglist = "luassert.arguments",
  tinsert = "luassert.arguments",
  tremove = "luassert.arguments",
  matchargs = "luassert.calls",
  matchoncalls = "luassert.calls",
}

setmetatable(util, {
  __index = function(_, name)
    local home = homes[name]
    local found = home and require(home)[name]
    if found then
      rawset(util, name, found)
    end
    return found
  end,
})

--- The contents of a table, or those that the host reports for its value.
function util.contents_of(value)
  if type(value) == "userdata" and util.contents then
    return util.contents(value)
  end
  return type(value) == "table" and value or nil
end

local function has(metatable, event)
  return type(metatable) == "table" and type(metatable[event]) == "function"
end

--- Whether a value can be called.
function util.callable(value)
  return type(value) == "function" or has(getmetatable(value), "__call")
end

--- Whether a value is a string or has `__tostring`.
function util.hastostring(value)
  if type(value) == "string" then
    return true
  end
  local metatable = getmetatable(value)
  if type(value) == "userdata" and debug then
    -- The metatables of a host's values and errors are hidden from `getmetatable`.
    metatable = debug.getmetatable(value)
  end
  return has(metatable, "__tostring")
end

--- The level for `error` of the first caller outside of the calling file.
function util.errorlevel(level)
  level = (level or 1) + 1
  if not debug then
    return level
  end
  local here = debug.getinfo(level, "S")
  local caller = here
  while caller and here and caller.source == here.source do
    level = level + 1
    caller = debug.getinfo(level, "S")
  end
  return level - 1
end

--- Splits words into names of `kind` ("assertion" or "matcher") and modifiers.
function util.extract_keys(kind, tokens, level)
  return (require("luassert.chain").names(kind, tokens, (level or 1) + 1))
end

return util
