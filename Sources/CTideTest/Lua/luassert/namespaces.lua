-- The words of the grammar: what each assertion, modifier and matcher is called and does.
--
-- The built-in words are defined by several modules, and each of them is loaded when one
-- of its words is first asked for: a spec file has a runtime of its own, and most use ten
-- words out of sixty.

local namespaces = {}

-- Which module defines which words. A word is found by searching these lines, so that
-- loading this file costs nothing.
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

--- Tells which modules define further words, as a host may have them.
function namespaces.add_homes(kind, added)
  for module, words in next, added do
    homes[kind][module] = words
  end
end

-- How often a word came or went. A chain that was resolved before is resolved again.
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

--- Defines a word, over one that has the name already.
function namespaces.define(kind, word)
  namespaces[kind] = namespaces[kind] or {}
  rawset(namespaces[kind], word.name, word)
  namespaces.epoch = namespaces.epoch + 1
end

--- Defines a built-in word, unless a spec was faster: built-ins arrive when first used,
--- which may be after a spec has replaced or removed them.
function namespaces.provide(kind, word)
  if rawget(namespaces[kind], word.name) == nil then
    rawset(namespaces[kind], word.name, word)
  end
end

--- Defines a built-in assertion under some names. What it says when it fails has the names
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

--- Takes a word away. A built-in one leaves `false` behind, or it would come back.
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
