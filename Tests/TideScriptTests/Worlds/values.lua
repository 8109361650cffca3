-- A random world of values that fail, loop, open and close, with everything that can follow a
-- value, compared after each step with a model that works all of it out anew.
--
--   numbers ◀── nodes, which read numbers and each other, also in loops
--          ◀── careful nodes, which handle what they read failing
--                  ◀── followers of each kind
--
-- `seed`, `steps` and `skipped`, a set of steps that are left out, are globals, and so is
-- `brokenInvariants`, a function that says what is wrong with the graph.

local state = seed * 7919 + 17
local function random(n)
  state = (state * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
  return ((state >> 33) ~ (state >> 17)) % n + 1
end
local function chance(percent) return random(100) <= percent end

local trace = {}
local function note(...) trace[#trace + 1] = string.format(...) end
local function wrong(...)
  local from = math.max(1, #trace - 12)
  error(string.format(...) .. "\nafter " .. table.concat(trace, "; ", from), 0)
end

-- The world

local numbers, nodes = {}, {}
for i = 1, 6 do numbers[i] = object { v = i } end

-- What a node is worth, given how to read a number and another node. The model uses it as well.
local function worth(node, number, other)
  local value = number(node.number)
  if node.fails and value % 5 == node.fails then error("node " .. node.index, 0) end
  for _, read in ipairs(node.reads) do
    if not read.gate or number(read.gate) % 2 == 1 then
      if node.isCareful then
        local isGood, found = pcall(other, read.node)
        value = value * 3 + (isGood and found or 1)
      else
        value = value * 3 + other(read.node)
      end
    end
  end
  return value % 1000
end

local evaluations = 0
local function readNumber(i) return numbers[i].v end
local function readNode(i) return nodes[i].object.v end

local plain, count = 9, 16
for i = 1, count do
  local node = {
    index = i, number = random(#numbers), reads = {}, isCareful = i > plain,
    fails = chance(40) and random(5) - 1 or nil,
  }
  for _ = 1, random(3) - 1 do
    -- Plain ones may come to depend on each other; where the gate is shut they do not.
    local target = random(node.isCareful and i - 1 or plain)
    local isBackward = target < i
    node.reads[#node.reads + 1] =
      { node = target, gate = (not isBackward or chance(40)) and random(#numbers) or nil }
  end
  node.object = object { v = computed(function()
    evaluations = evaluations + 1
    return worth(node, readNumber, readNode)
  end) }
  nodes[i] = node
end

-- The model

local function model()
  local values = {}
  for i = 1, #numbers do values[i] = untracked(function() return numbers[i].v end) end
  local running, known = {}, {}
  local function number(i) return values[i] end
  local function other(i)
    if known[i] then
      if known[i].isGood then return known[i].value end
      error("known", 0)
    end
    if running[i] then error("loop", 0) end
    running[i] = true
    local isGood, value = pcall(worth, nodes[i], number, other)
    running[i] = nil
    -- What failed amid a loop fails by itself as well: none of its parts handles errors.
    known[i] = { isGood = isGood, value = value }
    if isGood then return value end
    error(value, 0)
  end
  local found = {}
  for i = 1, count do
    local isGood, value = pcall(other, i)
    found[i] = isGood and value or false
  end
  return found
end

-- Followers: each says what it has seen last of a node; nil: nothing yet.

local followers = {}
local rows = list { 1, 200, 400, 600, 800 }
local kinds = {}

-- Sees errors as well.
function kinds.careful(follower, node)
  follower.sees = "all"
  local ends = chance(10)
  local made
  made = effect(function()
    local isGood, value = pcall(function() return node.object.v end)
    if not follower.isOver then follower.seen = isGood and value or false end
    return function()
      if ends then
        follower.isOver = true
        made:cancel()
      end
    end
  end)
  return function() made:cancel() end
end

function kinds.effect(follower, node)
  local made = effect(function() follower.seen = node.object.v end)
  return function() made:cancel() end
end

function kinds.ending(follower, node)
  follower.isOver = true
  local cleaned = 0
  context("ending", function()
    effect(function()
      context.clear("ending")
      local _ = pcall(function() return node.object.v end)
      return function() cleaned = cleaned + 1 end
    end)
  end)
  if cleaned ~= 1 then wrong("an effect that ended in its first run was cleaned up %d times", cleaned) end
  return function() end
end

local function target(follower)
  local made = object { v = -1 }
  follower.look = function() return made.v end
  return made
end

function kinds.bound(follower, node)
  local made = bind("v -> v", node.object, target(follower))
  return function() made:unbind() end
end

kinds["function"] = function(follower, node)
  local made = bind(target(follower), "v", function() return node.object.v end)
  return function() made:unbind() end
end

function kinds.path(follower, node)
  local root = object { inner = computed(function()
    return node.object.v >= 0 and node.object or nil
  end) }
  follower.keeps = root
  local made = bind("inner.v -> v", root, target(follower))
  return function() made:unbind() end
end

function kinds.transformer(follower, node)
  local source = object { v = 0 }
  follower.keeps = source
  local made = bind("v -> v", source, target(follower),
    { transform = function(v) return v + node.object.v end })
  return function() made:unbind() end
end

function kinds.sum(follower, node)
  local root = object { all = list { node.object } }
  follower.keeps = root
  local made = bind("all.@sum.v -> v", root, target(follower))
  return function() made:unbind() end
end

function kinds.pattern(follower, node)
  local root = object { n = node.object }
  follower.keeps = root
  local made = target(follower)
  local text = object { v = "" }
  local binding = bind({ "n.v", "n.v" }, "v", root, text, { format = "%d %d" })
  follower.look = function() return tonumber(text.v:match("^%d+")) or -1 end
  return function() binding:unbind() end
end

function kinds.condition(follower, node)
  local source = object { v = 7 }
  local made = target(follower)
  follower.keeps = source
  follower.expected = function(value) return value % 2 == 1 and 7 or nil end
  local binding = bind("v -> v", source, made, { when = function() return node.object.v % 2 == 1 end })
  return function() binding:unbind() end
end

function kinds.filter(follower, node)
  local made = rows:filter(function(row) return row > node.object.v end)
  follower.look = function() return #made end
  follower.expected = function(value)
    local left = 0
    for _, row in ipairs { 1, 200, 400, 600, 800 } do if row > value then left = left + 1 end end
    return left
  end
  return function() end
end

function kinds.observer(follower, node)
  local made = observe(node.object, "v", function(value) follower.told = value end)
  follower.expected = function() return follower.told end
  follower.look = function() return follower.told end
  return function() made:cancel() end
end

-- Writes what it read until that is settled; reads in callbacks that are nobody's.
function kinds.writer(follower, node)
  local o = object { n = 0 }
  local c = object { v = computed(function()
    if o.n < 2 then o.n = o.n + 1 end
    return node.object.v + o.n
  end) }
  follower.expected = function(value) return value + 2 end
  local made = effect(function()
    observe(node.object, "v", function() return numbers[1].v end, { initial = true })
    follower.seen = c.v
  end)
  return function() made:cancel() end
end

-- Judges by the node what is written, whenever something is, and follows nothing.
function kinds.validator(follower, node)
  local source, made = object { v = 0 }, object { v = 0 }
  local binding = bind("v -> v", source, made, { validate = function(v)
    if node.object.v % 2 == 1 then error("odd", 0) end
    return v
  end })
  follower.sees = "what is written"
  local good = made.v
  follower.try = function(value)
    source.v = source.v + 1
    if value and value % 2 == 0 then good = source.v end
    if made.v ~= good then
      wrong("what node %d judges is %s, not %s", node.index, tostring(made.v), tostring(good))
    end
  end
  return function() binding:unbind() end
end

local names = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)

local function follow()
  local kind = names[random(#names)]
  local i = random(count)
  note("%s of %d", kind, i)
  local follower = { kind = kind, node = i }
  follower.stop = kinds[kind](follower, nodes[i])
  followers[#followers + 1] = follower
end

local function leave()
  if #followers == 0 then return end
  local index = random(#followers)
  note("leave %s of %d", followers[index].kind, followers[index].node)
  followers[index].stop()
  table.remove(followers, index)
end

-- Comparing

local function check()
  local broken = brokenInvariants and brokenInvariants() or ""
  if broken ~= "" then wrong("%s", broken) end
  local found = model()
  local order = {}
  for i = 1, count do table.insert(order, random(#order + 1), i) end
  for _, follower in ipairs(followers) do
    local value = found[follower.node]
    local seen = follower.seen
    if follower.look then seen = untracked(follower.look) end
    if follower.isOver then
      -- It looks at nothing any more.
    elseif follower.try then
      untracked(function() follower.try(value) end)
    elseif follower.sees == "all" then
      if seen ~= value then
        wrong("%s of %d sees %s, not %s", follower.kind, follower.node, tostring(seen), tostring(value))
      end
    elseif value then
      local expected = value
      if follower.expected then expected = follower.expected(value) end
      if expected ~= nil and seen ~= expected then
        wrong("%s of %d has %s, not %s", follower.kind, follower.node, tostring(seen), tostring(expected))
      end
      follower.last = seen
    elseif follower.last ~= nil and follower.kind ~= "filter" and follower.kind ~= "observer" then
      -- Where it had come to read other objects when it failed, nothing of the former ones may show.
      if seen ~= follower.last and seen ~= -1 then
        wrong("%s of %d has %s although its node fails; it had %s", follower.kind, follower.node,
          tostring(seen), tostring(follower.last))
      end
    end
  end
  for _, i in ipairs(order) do
    local isGood, value = pcall(function() return nodes[i].object.v end)
    if (isGood and value or false) ~= found[i] then
      wrong("node %d is %s, not %s", i, tostring(value), tostring(found[i]))
    end
  end
  local isFailing = false
  for _, follower in ipairs(followers) do
    if not follower.isOver and not found[follower.node] and not follower.sees
      and follower.kind ~= "observer" and follower.kind ~= "filter"
    then
      isFailing = true
    end
  end
  if isFailing and #errors() == 0 then wrong("an error is not listed") end
end

local function write()
  local i, value = random(#numbers), random(12)
  note("%d = %d", i, value)
  numbers[i].v = value
end

for step = 1, steps do
  -- Each has numbers of its own, so that a step can be left out.
  state = seed * 7919 + step * 104729
  for _ = 1, 4 do random(2) end
  local choice = skipped and skipped[step] and 0 or random(10)
  if choice == 0 then
    note("skipped")
  elseif choice <= 2 then
    follow()
  elseif choice == 3 then
    leave()
  elseif choice <= 5 then
    note("batch")
    batch(function()
      for _ = 1, random(4) do
        write()
        if chance(50) then
          local i = random(count)
          note("read %d", i)
          pcall(function() return nodes[i].object.v end)
        end
      end
    end)
  else
    write()
  end
  check()
end
for _, follower in ipairs(followers) do follower.stop() end
