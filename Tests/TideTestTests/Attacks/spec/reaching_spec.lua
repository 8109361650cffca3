-- Whatever a spec can get hold of, the runner's host and the debug library are not in it.

local modules = {
  'busted', 'busted.compatibility', 'busted.fixtures', 'busted.runner', 'busted.status', 'busted.utils',
  'busted.outputHandlers.base', 'luassert', 'luassert.arguments', 'luassert.array', 'luassert.assert',
  'luassert.assertions', 'luassert.assertions.calls', 'luassert.calls', 'luassert.chain',
  'luassert.compare', 'luassert.copy', 'luassert.failure', 'luassert.formatters',
  'luassert.formatters.table', 'luassert.match', 'luassert.matchers', 'luassert.misuse', 'luassert.mock',
  'luassert.modifiers', 'luassert.namespaces', 'luassert.spy', 'luassert.state', 'luassert.stub',
  'luassert.util', 'pl.pretty', 'say', 'term',
}
-- Names of the host's functions, and of those of `debug`.
local forbidden = {
  'linesOf', 'takeSnapshot', 'beginModule', 'getupvalue', 'getinfo', 'getlocal', 'setupvalue', 'popen',
  'getregistry', 'loadlib',
}

local function walk(start)
  local seen, open = {}, { { start, 'start' } }
  local function add(value, way)
    local kind = type(value)
    if (kind == 'table' or kind == 'string') and not seen[value] and #open < 100000 then
      seen[value] = true
      open[#open + 1] = { value, way }
    end
  end
  local found
  while #open > 0 do
    local value, way = table.unpack(table.remove(open))
    if type(value) == 'table' then
      for _, name in ipairs(forbidden) do
        if rawget(value, name) ~= nil then found = way .. '.' .. name end
      end
      for key, member in next, value do
        add(key, way .. '[key]')
        add(member, way .. '.' .. tostring(key))
      end
    end
    local metatable = getmetatable(value)
    if type(metatable) == 'table' then add(metatable, way .. '<metatable>') end
  end
  return found
end

it('is not in the globals, words and what they are made of', function()
  local raised = select(2, pcall(error, setmetatable({}, {})))
  local failure = select(2, pcall(assert.is_true, false))
  local skipped = select(2, pcall(pending, 'later'))
  local refused = select(2, pcall(gen.sample, gen.integer():filter(function() return false end), 1))
  local property = assert.property(object { a = 1 }, 'a')
  local spied = spy.new(function() end)
  assert.is_nil(walk {
    _G, _ENV, assert, assert.is, assert.is_not.same, spy, stub, mock, match, match.is_same, ui, gen, clock,
    os, '', raised, failure, skipped, refused, property, spied, gen.integer(), assert:snapshot(),
    getmetatable(_ENV), tidelock, forall, describe,
  })
end)

for _, name in ipairs(modules) do
  it('is not in the module ' .. name, function() assert.is_nil(walk { require(name) }) end)
end

it('strings keep their metatable to themselves', function()
  assert.is_false(getmetatable(''))
  assert.is_false(pcall(function() string.find = function() end end))
  assert.is_false(pcall(rawset, string, 'find', print))
end)

-- What stands in place of a function of the library, or of a module, sees what ours is called with.
it('is given to nobody who stands in place of the library', function()
  local seen = {}
  local function watch(holder, name)
    local original = rawget(holder, name)
    if type(original) ~= 'function' then return function() end end
    holder[name] = function(...)
      for index = 1, select('#', ...) do
        local value = select(index, ...)
        if type(value) == 'table' then seen[value] = true end
      end
      return original(...)
    end
    return function() holder[name] = original end
  end
  local undo = {}
  for _, name in ipairs {
    'pcall', 'ipairs', 'pairs', 'next', 'tostring', 'tonumber', 'error', 'xpcall', 'setmetatable',
    'getmetatable', 'rawget', 'rawset', 'require', 'load',
  } do
    undo[#undo + 1] = watch(_G, name)
  end
  for _, module in ipairs { 'util', 'misuse', 'namespaces', 'state', 'compare', 'failure', 'arguments' } do
    local held = require('luassert.' .. module)
    for name in next, held do
      undo[#undo + 1] = watch(held, name)
    end
  end
  local page = object { a = 1 }
  pcall(function() assert.equal(2, page.a) end)
  pcall(function() assert.property(page, 'a').is(2) end)
  pcall(function() assert.bound(page, 'a') end)
  pcall(function() assert.lawful('number', 3) end)
  pcall(function() assert.settles(function() error 'x' end) end)
  pcall(function() assert.snapshot(page) end)
  pcall(function() assert.eventually(function() return false end, 0.1) end)
  pcall(function() forall(gen.integer(), function(n) return n < 3 end) end)
  pcall(function() ui.mount 'nothing.lua' end)
  for index = #undo, 1, -1 do
    undo[index]()
  end
  assert.is_nil(walk(seen))
end)
