-- The surroundings of a spec: `require` with the modules of the program, and replacements for
-- functions that would end the process and with it the other tests.

local host, settings, words = ...
local error, ipairs, pcall, tostring, type = error, ipairs, pcall, tostring, type
local concat, find = table.concat, string.find
local G = _G
local package = G.package
local preload = package and package.preload
local api = G.tidelock
local given = G.require

-- MARK: Modules

local own = {}
-- The globals of the runner's modules, filled at the end. Specs cannot reach them.
local inner = setmetatable({}, { __index = G })
-- The runner's modules may use functions of `debug` that the sandbox denies to specs: each module
-- only those that it needs.
local looking = setmetatable(
  { debug = { getinfo = G.debug.getinfo, getmetatable = G.debug.getmetatable } },
  { __index = inner })
local looks = {
  ['luassert.compare'] = true, ['luassert.contrast'] = true, ['luassert.formatters'] = true,
  ['luassert.util'] = true, ['tidelock.test.generators'] = true, ['tidelock.test.locations'] = true,
}
-- Loaded when something fails.
local reasons
local reading = setmetatable({ debug = G.debug }, { __index = inner })
-- An error of an assertion is a failure of the test; an unknown word is an error.
local function raise(message, level)
  if type(message) == 'string' and message:find('^luassert: unknown') then
    error(message, type(level) == 'number' and level + 1 or 2)
  end
  local at = type(level) == 'number' and level + 1 or 2
  if type(message) == 'string' then
    reasons = reasons or host.chunk('tidelock.test.reasons', reading)(host)
    message = message .. reasons(message, at)
  end
  words.fail(message, at)
end
local raising = setmetatable({ error = raise }, { __index = inner })
local raises = {
  ['luassert.assert'] = true, ['luassert.chain'] = true, ['tidelock.test.bindings'] = true,
}
-- Assertions that are loaded on first use, as luassert's own are.
local homes = {
  ['tidelock.test.bindings'] = ' bound runs property eventually settles no_errors ',
  ['tidelock.test.snapshots'] = ' snapshot ',
  ['tidelock.test.lawful'] = ' lawful ',
}

local function load_own(name)
  local value = own[name]
  if value == nil then
    local environment = raises[name] and raising or looks[name] and looking or inner
    value = host.chunk(name, environment)(name)
    if value == nil then value = true end
    if name == 'luassert.util' then value.contents = host.contents end
    if name == 'say' then
      -- A spec may read a text before its first assertion.
      setmetatable(value._registry.en, {
        __index = function(texts, key)
          setmetatable(texts, nil)
          load_own 'luassert.languages.en'
          return texts[key]
        end,
      })
    end
    if name == 'luassert.namespaces' then
      value.add_homes('assertion', homes)
      -- Removed, because a spec's own modules would be loaded with the runner's globals.
      value.add_homes = nil
    end
    own[name] = value
  end
  return value
end

local locations = load_own 'tidelock.test.locations'

local function searched(name)
  local looked = {}
  -- Recorded before it is compiled, so that a file with syntax errors is watched for changes.
  if not preload[name] then
    local file = package.searchpath and package.searchpath(name, package.path)
    if file then host.loaded(file) end
  end
  for _, searcher in ipairs(package.searchers) do
    local isGood, loader, extra = pcall(searcher, name)
    if not isGood then
      local text = locations.without_ours(loader)
      if find(tostring(text), 'undefined symbol: luaL?_') then
        text = tostring(text) .. "\n\tthis program does not export Lua's functions: build it without "
          .. '--static-swift-stdlib'
      end
      locations.raise(text)
    end
    if type(loader) == 'function' then return loader, extra end
    if loader ~= nil then looked[#looked + 1] = tostring(loader) end
  end
  locations.raise(("module '%s' not found:\n\t%s"):format(name, concat(looked, '\n\t')))
end

-- A module's bindings last as long as the module is loaded, not only until the test that first
-- required it ends.
local function loaded_in_file(loader, name, extra)
  host.beginModule()
  local isGood, value = pcall(loader, name, extra)
  host.endModule()
  if not isGood then error(value, 0) end
  return value
end

local function require_stock(name)
  if type(name) ~= 'string' and type(name) ~= 'number' then
    error(("bad argument #1 to 'require' (string expected, got %s)"):format(type(name)), 2)
  end
  name = tostring(name)
  local known = package.loaded[name]
  if known then return known end
  local loader, extra = searched(name)
  local value = loaded_in_file(loader, name, extra)
  if value ~= nil then package.loaded[name] = value end
  if package.loaded[name] == nil then package.loaded[name] = true end
  return package.loaded[name], extra
end

if package then
  local project = settings.project
  -- An app's modules are below its folder, wherever the tests are started.
  local near = project and ('%s/?.lua;%s/?/init.lua;'):format(project, project) or ''
  package.path = settings.path .. near .. package.path
  package.cpath = settings.cpath .. package.cpath
  package.loaded.tidelock = api
  -- Small replacements for libraries that busted depends on. Installed ones take precedence.
  local stand_ins = {}
  for _, name in ipairs(settings.modules) do
    if name:find '^term' or name:find '^pl%.' then
      stand_ins[name] = true
    else
      package.preload[name] = load_own
    end
  end
  package.searchers[#package.searchers + 1] = function(name)
    if stand_ins[name] then return load_own, ':preload:' end
  end
  G.require = require_stock
else
  local isOwn = {}
  for _, name in ipairs(settings.modules) do
    isOwn[name] = true
  end
  local function checked(isGood, ...)
    if isGood then return ... end
    local value = ...
    local text = tostring(value)
    -- A missing module is reported at the line that requires it.
    if find(text, '^%[tidelock') then locations.raise(locations.without_ours(text)) end
    error(value, 0)
  end
  G.require = function(name)
    if isOwn[name] then return load_own(name) end
    return checked(pcall(given, name))
  end
end

-- Only the runner's modules can load other modules of the runner, which can do more than specs may.
local require_outer = G.require
local function require_inner(name)
  if find(name, '^tidelock%.test%.') then return load_own(name) end
  return require_outer(name)
end
own['tidelock.test.words'] = words

-- Programs look at `package.loaded` to find out whether they are being tested, or which texts
-- exist. busted loads these modules before any spec.
if package then
  local isThere = { busted = true, say = true }
  for _, name in ipairs { '', '.assert', '.match', '.mock', '.spy', '.stub', '.util' } do
    isThere['luassert' .. name] = true
  end
  setmetatable(package.loaded, {
    __index = function(_, name)
      -- If a spec has replaced the loader in `package.preload`, its own module is loaded.
      if isThere[name] and package.preload[name] == load_own then return load_own(name) end
    end,
  })
end

-- Most specs need only some of these words, and some need none.
for word, name in pairs {
  assert = 'luassert', spy = 'luassert.spy', stub = 'luassert.stub', mock = 'luassert.mock',
  match = 'luassert.match',
} do
  words.lazy[word] = function() return load_own(name) end
end

words.host, words.settings, words.api, words.isView = host, settings, api, host.isView
words.root.vars.clock = host.chunk('tidelock.test.clock', inner)(host, settings)

local ui
function words.ui()
  ui = ui or host.chunk('tidelock.test.ui', inner)(host, api, locations)
  return ui
end
words.lazy.ui = words.ui
words.lazy.gen = function() return load_own 'tidelock.test.generators' end
words.lazy.forall = function() return load_own('tidelock.test.laws').forall end

-- The interpreter's name, for scripts that start another one.
if G.arg and not settings.isSandboxed then G.arg[-1] = 'lua' end

if settings.isSandboxed then G.debug = nil end

for _, name in ipairs { 'dofile', 'loadfile' } do
  local load_file = G[name]
  if load_file then
    G[name] = function(file, ...)
      if type(file) == 'string' then host.loaded(file) end
      return load_file(file, ...)
    end
  end
end

-- MARK: Leaving

local function refuse(name)
  return function()
    error(name .. ' would end the tests that are still to run; where a test is about it, put a stub '
      .. 'in its place: stub(' .. (name == 'exit' and '_G' or 'os') .. ', "exit")', 2)
  end
end
if G.os and not settings.isSandboxed then G.os.exit = refuse('os.exit') end
G.exit = refuse('exit')

-- Files run in parallel, and the output of each must appear with its own tests.
if G.io and not settings.isSandboxed then host.chunk('tidelock.test.output')(host.write) end

-- MARK: Helpers

function words.callHelper(...) return host.chunk('tidelock.test.word_registration', inner)(...) end

-- MARK: Events

words.folder = host.folder
words.gettime, words.monotime, words.sleep = host.gettime, host.monotime, api.sleep
words.subscribed = host.subscribed

-- MARK: What is ours

local stock = { coroutine = true, math = true, string = true, table = true, utf8 = true }
-- The runner's modules call the original library even if a spec replaces its functions, and keep
-- functions that specs may not have.
for name, value in next, G do
  if type(value) == 'function' then
    inner[name] = value
  elseif stock[name] and not package then
    -- Sealed in the sandbox.
    inner[name] = value
  elseif type(value) == 'table' and value ~= G and package and package.loaded[name] == value then
    local copy = {}
    for key, member in next, value do
      copy[key] = member
    end
    inner[name] = copy
  end
end
inner.package, inner.require = package, require_inner
