-- Chains: the words written after `assert` or `match`, as in `assert.is_not.same`.
--
-- Every chain in a spec is built once. `assert.is.Not` and `assert.is_not` have the same words, but
-- are different nodes in the tree of chains:
--
--   root ── is ──────┬── Not ── same
--        └─ is_not ──┴ …
--
-- A node has one state, which is shared and never changes, so a spec can store `local same =
-- assert.are.same` and call it repeatedly. A call of a modifier, such as `assert.message("…")` or
-- `assert.spy(s)`, returns a separate state with the values that the modifier adds.

local namespaces = require "luassert.namespaces"

local chain = {}

-- Words end at underscores and are compared without case: `is_not`, `Is.Not`, `IS_NOT`.
local function extended(tokens, key)
  local longer = table.move(tokens, 1, #tokens, 1, {})
  for word in key:lower():gmatch "[^_]+" do
    longer[#longer + 1] = word
  end
  return longer
end

--- Splits words into the names of assertions (or matchers) and modifiers. It starts from the end
--- and prefers the longest name: `has_property` is one name if it is registered, and otherwise
--- `has` and `property`.
function chain.names(kind, tokens, level)
  local names, words, modifiers = {}, namespaces[kind], namespaces.modifier
  local last = #tokens
  while last > 0 do
    local first, name = 1, nil
    repeat
      name = table.concat(tokens, "_", first, last)
      first = first + 1
    until words[name] or modifiers[name] or first > last
    if not (words[name] or modifiers[name]) then
      local unknown = table.concat(tokens, "_", 1, last)
      error(("luassert: unknown modifier/%s: '%s'"):format(kind, unknown), (level or 1) + 1)
    end
    table.insert(names, 1, name)
    last = first - 2
  end
  return names
end

-- The plan for a call of a chain: its last assertion, and the modifiers around it.
local function plan(kind, tokens)
  local found = { epoch = namespaces.epoch, modifiers = {}, negated = false, plain = true }
  for _, name in ipairs(chain.names(kind, tokens, 3)) do
    local action = namespaces[kind][name]
    local modifier = not action and namespaces.modifier[name]
    if action then
      found.action = action
    else
      table.insert(found.modifiers, modifier)
      if modifier.negates then
        found.negated = not found.negated
      elseif not modifier.silent then
        found.plain = false
      end
    end
  end
  -- Looking up a word may have loaded its module, which does not make the plan outdated.
  found.epoch = namespaces.epoch
  return found
end

local function copied(state, tokens, metatable)
  local copy = {}
  for key, value in next, state do
    copy[key] = value
  end
  copy.tokens = tokens
  return setmetatable(copy, metatable)
end

--- Makes the root of the chains of one kind. `conclude(state, action, arguments, …)` receives the
--- results of an action's callback. It returns a description of the failure, or nil, and the
--- results of the call.
function chain.root(kind, conclude)
  local State = {}
  local nodes = setmetatable({}, { __mode = "k" })

  local function node(tokens)
    local state = setmetatable({ mod = true, tokens = tokens }, State)
    local made = { state = state, next = {} }
    nodes[tokens] = made
    return made
  end

  local root = node {}

  -- A state that was copied as a whole has words of its own, and gets a node for them.
  local function node_of(state)
    local tokens = rawget(state, "tokens")
    return nodes[tokens] or node(tokens)
  end

  function State.__index(self, key)
    if type(key) ~= "string" then
      return nil
    end
    local here = node_of(self)
    local there = here.next[key]
    if not there then
      there = node(extended(rawget(self, "tokens"), key))
      here.next[key] = there
    end
    if rawequal(here.state, self) then
      return there.state
    end
    return copied(self, there.state.tokens, State)
  end

  local function modified(self, found, given)
    local state = copied(self, root.state.tokens, State)
    for _, modifier in ipairs(found.modifiers) do
      modifier.callback(state, given, 2)
    end
    return state
  end

  function State.__call(self, ...)
    local here = node_of(self)
    local found = here.plan
    if not found or found.epoch ~= namespaces.epoch then
      found = plan(kind, self.tokens)
      here.plan = found
    end
    local action = found.action
    if not action then
      return modified(self, found, require("luassert.arguments").make_arglist(...))
    end
    -- The fast path of nearly every passing assertion: it needs no state and no lists.
    local holds = action.holds
    if holds and found.plain and holds(...) == (self.mod ~= found.negated) then
      return ...
    end
    local state = copied(self, self.tokens, State)
    for _, modifier in ipairs(found.modifiers) do
      modifier.callback(state, nil, 2)
    end
    -- Callbacks are called and failures raised in this function, so that level 2 is the spec's
    -- line. A runner that distinguishes failures from errors gives this function an `error` of its
    -- own.
    local arguments = require("luassert.arguments").make_arglist(...)
    local failure, results =
      conclude(state, action, arguments, action.callback(state, arguments, 2))
    if failure then
      error(failure, 2)
    end
    return table.unpack(results, 1, results.n or #results)
  end

  return root.state
end

return chain
