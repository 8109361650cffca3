-- The words of the grammar: the name and the function of each assertion, modifier and matcher.
--
-- Several modules define the built-in words. Each is loaded when one of its words is first used,
-- because each spec file has its own runtime, and most specs use ten of the sixty words.

local namespaces = {}

-- The words that each module defines, separated by spaces. A lookup searches these texts, so
-- loading this file builds no tables of words.
local homes = {
  assertion = {
    ["luassert.assertions.equality"] = " same equal equals unique near ",
    ["luassert.assertions.kinds"] = " true false truthy falsy nil boolean number \z
      string table function userdata thread ",
    ["luassert.assertions.patterns"] = " match matches ",
    ["luassert.assertions.errors"] = " error errors error_match error_matches \z
      match_error matches_error ",
    ["luassert.assertions.counts"] = " returned_arguments ",
    ["luassert.assertions.calls"] = " called called_with called_at_least called_at_most \z
      called_more_than called_less_than returned_with ",
    ["luassert.array"] = " holes ",
  },
  modifier = {
    ["luassert.modifiers"] = " is are was has does a an the not no message ",
    ["luassert.array"] = " array ",
    ["luassert.assertions.calls"] = " spy stub ",
  },
  matcher = {
    ["luassert.matchers.core"] = " same equal equals unique near match matches ref true false \z
      truthy falsy nil boolean number string table function userdata thread ",
    ["luassert.matchers.composite"] = " all_of any_of none_of ",
  },
}

local function home(kind, name)
  local searched = " " .. name .. " "
  for module, words in next, homes[kind] do
    if words:find(searched, 1, true) then
      return module
    end
  end
end

--- Declares modules of a host that define further words.
function namespaces.add_homes(kind, added)
  for module, words in next, added do
    homes[kind][module] = words
  end
end

-- The number of additions and removals of words. A chain that was resolved at another count is
-- resolved again.
namespaces.epoch = 0

for kind in next, homes do
  namespaces[kind] = setmetatable({}, {
    __index = function(words, name)
      local module = type(name) == "string" and home(kind, name)
      if module then
        require(module)
        return rawget(words, name)
      end
    end,
  })
end

--- Defines a word, and replaces an existing one of that name.
function namespaces.define(kind, word)
  namespaces[kind] = namespaces[kind] or {}
  rawset(namespaces[kind], word.name, word)
  namespaces.epoch = namespaces.epoch + 1
end

--- Defines a built-in word, unless a spec has replaced or removed it before its first use.
function namespaces.provide(kind, word)
  if rawget(namespaces[kind], word.name) == nil then
    rawset(namespaces[kind], word.name, word)
  end
end

--- Defines a built-in assertion under several names. The texts of its failures have the keys
--- `assertion.<text>.positive` and `assertion.<text>.negative`.
function namespaces.provide_assertion(names, callback, text)
  for _, name in ipairs(names) do
    namespaces.provide("assertion", {
      name = name,
      callback = callback,
      positive_message = "assertion." .. text .. ".positive",
      negative_message = "assertion." .. text .. ".negative",
    })
  end
end

--- Removes a word. A built-in word is set to `false`, since its module would define it again.
function namespaces.remove(kind, name)
  local words = namespaces[kind]
  if words and type(name) == "string" then
    words[name] = nil
    if homes[kind] and home(kind, name) then
      words[name] = false
    end
    namespaces.epoch = namespaces.epoch + 1
  end
end

return namespaces
