-- The words of a spec file, and the globals that it sees.
--
-- A spec's globals are looked up in the running scope (a block, a hook or a test), then in the
-- enclosing blocks, then in the words, then in _G. Assignments go to the running scope. A hook
-- assigns to its block, and an exposing block to the scope around its file. The host walks the tree
-- of blocks and calls `run` for each function of it.

local host, settings = ...
local getinfo, traceback, getmetatable = debug.getinfo, debug.traceback, debug.getmetatable
local error, find, format, gsub, match = error, string.find, string.format, string.gsub, string.match
local ipairs, pcall, select, setmetatable = ipairs, pcall, select, setmetatable
local tonumber, tostring, type, xpcall = tonumber, tostring, type, xpcall
local unpack, running = table.unpack, coroutine.running
local G = _G

-- MARK: Scopes

local root = { vars = {} }
local current = root
-- The words of tests and hooks, which replace those that declare.
local inside = {}
-- Words that are created on first use.
local lazy = {}
-- The lazy words that busted lacks.
local added = { ui = true, forall = true, gen = true }

local function lookup(_, key)
  local scope = current
  while scope do
    local value = scope.vars[key]
    if value then return value end
    local words = scope.inside
    value = words and words[key]
    if value then return value end
    scope = scope.parent
  end
  local make = lazy[key]
  -- Words that busted lacks yield to globals of the same name, from a spec or its helper.
  if make and (not added[key] or G[key] == nil) then
    local value = make()
    root.vars[key] = value
    return value
  end
  return G[key]
end

local function assign(scope, key, value)
  -- An assignment to a word that is refused in a hook stays in the hook.
  while scope.vars[key] == nil and scope.writes and not (scope.inside and scope.inside[key]) do
    scope = scope.writes
  end
  scope.vars[key] = value
end

local environment = setmetatable({}, {
  __index = lookup,
  __newindex = function(_, key, value) assign(current, key, value) end,
})

local globals = { vars = setmetatable({}, { __index = G, __newindex = G }) }

local function block(parent, path, exposes)
  local scope = { vars = {}, parent = parent, path = path }
  if exposes then scope.writes = parent.parent or globals end
  return scope
end

-- MARK: Errors

local failure = { __type = 'failure', __tostring = function(e) return tostring(e.message) end }
local wordless = { __type = 'failure' }
local skip = { __type = 'pending', __tostring = function(e) return tostring(e.message) end }

-- Compares metatables, because a spec's own object may have a type of the same name.
local function kind(value)
  local metatable = getmetatable(value)
  if metatable == failure or metatable == wordless then return 'failure' end
  return metatable == skip and 'pending' or 'error'
end

local pretty
local function text_of(value)
  if type(value) == 'string' then return value end
  if value == nil then return 'Nil error' end
  local metatable = getmetatable(value)
  if type(metatable) == 'table' and metatable.__tostring then
    -- If this raises an error, Lua reports that error in place of the object.
    return tostring(value)
  end
  pretty = pretty or host.chunk('tidelock.test.pretty')()
  return pretty(value)
end

-- Whether a function belongs to the runner, to the program's modules or to C, and so not to a spec.
local function is_ours(info)
  return info.what == 'C' or find(info.source, '^=%[') or find(info.source, 'luassert[/\\][^\n]*%.lua$')
end

local function location(level, wants_trace)
  local info = getinfo(level, 'Sl')
  while info and is_ours(info) do
    level = level + 1
    info = getinfo(level, 'Sl')
  end
  if not info then return end
  local trace
  if wants_trace then
    trace = traceback('', level)
    local stop = find(trace, '\n%s*%[C]')
    if stop then trace = trace:sub(1, stop) end
  end
  return info.source, info.short_src, info.currentline, info.what, info.linedefined,
    info.lastlinedefined, trace
end

-- The line of the spec at which a coroutine is suspended.
local function location_in(thread)
  local level = 0
  local info = getinfo(thread, level, 'Sl')
  while info and is_ours(info) do
    level = level + 1
    info = getinfo(thread, level, 'Sl')
  end
  return info and format('%s:%d', info.short_src, info.currentline)
end

local own_modules = { busted = true, luassert = true, pl = true, say = true, term = true, tidelock = true }

local function reported(value, level)
  local status = kind(value)
  local text
  if status ~= 'pending' then
    text = text_of(value)
  elseif value.message ~= nil then
    text = text_of(value.message)
  end
  -- If an error's location is in the runner, it was caused by a spec's mistake or by the error's
  -- level.
  local module = text and match(text, '^%[([%w_]+)[%w_.]*%]:%d+: ')
  if module and own_modules[module] then text = gsub(text, '^.-: ', '', 1) end
  local source, short, line, what, first, last, trace = location(level + 1, true)
  if text and short and not find(text, '^[^\n]-:%d+: .*') then
    text = format('%s:%d: %s', short, line, text)
  end
  return { status, text, source, short, line, what, first, last, trace, n = 9 }
end

local function fail(message, level)
  local at = type(level) == 'number' and level > 0 and level + 1 or level or 2
  if type(message) == 'string' and type(at) == 'number' then
    local info = getinfo(at, 'Sl')
    if info and info.currentline > 0 then
      message = format('%s:%d: %s', info.short_src, info.currentline, message)
    end
  end
  local metatable = getmetatable(message)
  local hasText = type(message) == 'string' or type(metatable) == 'table' and metatable.__tostring
  error(setmetatable({ message = message }, hasText and failure or wordless), 0)
end

local function pending(message) error(setmetatable({ message = message }, skip), 0) end

-- MARK: Waiting

local test

local function async() test.isAsync = true end

local function done()
  test.isDone = true
  if test.wait then test.wait:cancel() end
end

local function wait_for_done(mine)
  if not mine.isAsync or mine.isDone then return end
  local sleep, limit = G.tidelock.sleep, settings.longestWait
  mine.wait = G.tidelock.spawn(function() sleep(limit) end)
  pcall(G.tidelock.await, mine.wait)
  if not mine.isDone then
    error(format('done() was not called within %g seconds of the test\'s clock', limit), 0)
  end
end

-- MARK: Running

local finally_function

local function protected(fn, scope)
  current = scope
  test = { isAsync = false, isDone = false, thread = running() }
  local mine, report = test, nil
  local function note(value) report = reported(value, 2) end
  local isGood, raised = xpcall(fn, note)
  if isGood and mine.isAsync then
    isGood, raised = xpcall(wait_for_done, note, mine)
  end
  current = root
  if isGood then return end
  if report then return unpack(report, 1, report.n) end
  -- There was no memory left to call `note`, or `note` itself failed.
  return 'error', type(raised) == 'string' and raised or 'error in error handling'
end

local run = {}

local seed
function run.block(fn, scope)
  local randomizes
  scope.vars.randomize = function(...)
    randomizes = select('#', ...) == 0 or (...)
    if randomizes then seed = tonumber((...)) or tonumber((select(2, ...))) or seed end
  end
  local status, text, source, short, line, what, first, last, trace = protected(fn, scope)
  if status then return status, text, source, short, line, what, first, last, trace end
  if randomizes ~= nil then host.randomize(randomizes and true or false, seed) end
end

function run.hook(fn, scope)
  return protected(fn, { vars = {}, inside = inside, parent = scope, writes = scope })
end

local test_scope
function run.test(fn, scope)
  finally_function = nil
  test_scope = {
    vars = { finally = function(body) finally_function = body end, pending = pending },
    inside = inside,
    parent = scope,
  }
  return protected(fn, test_scope)
end

function run.finally()
  local body = finally_function
  if not body then return end
  finally_function = nil
  test_scope.vars.pending = nil
  return protected(body, test_scope)
end

function run.has_finally() return finally_function ~= nil end

-- MARK: Declaring

local words = {}

local function is_callable(value)
  if type(value) == 'function' then return true end
  local metatable = getmetatable(value)
  return type(metatable) == 'table' and metatable.__call ~= nil
end

local function path_of(name)
  local path = current.path
  return path and path ~= '' and path .. ' ' .. tostring(name) or tostring(name)
end

local function any(patterns, text, prefix)
  for _, pattern in ipairs(patterns) do
    if find(text, prefix .. pattern) then return true end
  end
  return false
end

local function is_wanted(descriptor, name)
  local isTest = descriptor == 'it' or descriptor == 'pending'
  if not isTest and descriptor ~= 'describe' then return not settings.isListing end
  if name == nil then name = descriptor end
  if any(settings.excludeTags, tostring(name), '#') then return false end
  if isTest and #settings.tags > 0 and not any(settings.tags, path_of(name), '#') then
    return false
  end
  if any(settings.filterOut, path_of(name), '') then return false end
  return not (isTest and #settings.filter > 0) or any(settings.filter, path_of(name), '')
end

local function nothing() end

-- The function's last line, for choosing tests by line.
local function last_line(fn)
  if not settings.hasLines or type(fn) ~= 'function' then return end
  return getinfo(fn, 'S').lastlinedefined
end

-- The body of a test, hook or block as a function. A body that cannot be called becomes a function that
-- reports the mistake when it runs.
local function body_of(name, fn)
  if type(fn) == 'function' then return fn end
  if is_callable(fn) then
    return function(...) return fn(...) end
  end
  local _, file, line = location(4)
  local text = format('%s takes a function, and got a %s', name, type(fn))
  if file then text = format('%s:%d: %s', file, line, text) end
  return function() error(text, 0) end
end

-- The declaration of each word, for its aliases.
local declared = {}

local function word(name, descriptor, mode, default)
  declared[name] = { descriptor, mode, default }
  local alias = name ~= descriptor and name or nil
  local function declare(title, fn)
    if fn == nil and is_callable(title) then
      fn, title = title, alias
    elseif fn == nil then
      fn = default
    end
    if fn == nil then
      return function(body) return words[name](title, body) end
    end
    if not settings.isFiltering or is_wanted(descriptor, title) then
      local body = body_of(name, fn)
      host.register(descriptor, title, body, mode, last_line(fn), location(3, settings.wantsTraces))
    end
  end
  words[name] = declare
  root.vars[name] = declare
  if name ~= 'context' then
    inside[name] = function()
      error("'" .. name .. "' not supported inside current context block", 2)
    end
  end
end

word('describe', 'describe')
word('context', 'describe')
word('insulate', 'describe', 'insulate')
word('expose', 'describe', 'expose')
word('it', 'it')
word('spec', 'it')
word('test', 'it')
word('pending', 'pending', nil, nothing)
local kinds = { setup = 'strict_setup', teardown = 'strict_teardown' }
if settings.isLazy then kinds = { setup = 'lazy_setup', teardown = 'lazy_teardown' } end
for _, name in ipairs {
  'before_each', 'after_each', 'lazy_setup', 'lazy_teardown', 'strict_setup', 'strict_teardown',
  'setup', 'teardown',
} do
  word(name, kinds[name] or name)
end
inside.randomize = function()
  error("'randomize' not supported inside current context block", 2)
end

-- `context` is a block while blocks are declared, and Tidelock's `context` inside a test.
inside.context = G.context
root.vars.async, root.vars.done = async, done


local exported
exported = {
  environment = environment,
  root = root,
  words = words,
  lazy = lazy,
  block = block,
  runBlock = run.block,
  runHook = run.hook,
  runTest = run.test,
  runFinally = run.finally,
  hasFinally = run.has_finally,
  isAsync = function() return test ~= nil and test.isAsync end,
  waitingLocation = function() return test and location_in(test.thread) end,
  kind = kind,
  -- Gives a word another name. Returns nil if the word does not exist.
  alias = function(name, known)
    local what = declared[known]
    if what then word(name, what[1], what[2], what[3]) end
    return what and words[name]
  end,
  export = function(name, value) root.vars[name] = value end,
  textOf = function(value) return (text_of(value)) end,
  fail = fail,
  pending = pending,
  -- The values with which a stopped law was running; nil unless laws have been loaded.
  tried = function() return exported.whatWasTried and exported.whatWasTried() end,
}
return exported
