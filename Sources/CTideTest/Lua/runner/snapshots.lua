-- `assert.snapshot(value or ui [, name])`: a value's text equals the one stored beside the spec.

local namespaces = require 'luassert.namespaces'
local words = require 'tidelock.test.words'
local host, settings = words.host, words.settings

-- The number of uses of each name in the running test.
local counts, counted = {}, nil
-- The test that has used a name, and its text, by snapshot file and name.
local takers = {}

local function shown(text)
  if not utf8.len(text) then
    text = text:gsub('[\128-\255]', function(byte) return ('\\x%02X'):format(byte:byte()) end)
  end
  -- Control characters are escaped, because editors do not show them.
  text = text:gsub('[%z\1-\8\11-\31\127]', function(byte) return ('\\x%02X'):format(byte:byte()) end)
  return text
end

local kinds_with_address = { ['function'] = true, thread = true, userdata = true, table = true }

local function text_of(value)
  if type(value) == 'string' then return shown(value) end
  if value == words.ui() then return shown(host.ui.snapshot()) end
  if type(value) == 'userdata' and words.isView(value) then
    return shown(host.ui.snapshot(value))
  end
  -- The sign of NaN, and memory addresses, differ between runs.
  if value ~= value then return 'nan' end
  local text = host.wholeText(value):gsub('%f[%w](%a+): 0x%x+', function(kind)
    return kinds_with_address[kind] and kind
  end)
  return shown(text)
end

local function key_of(name)
  local test = host.testName()
  if counted ~= host.testNumber() then counts, counted = {}, host.testNumber() end
  local key = name and test .. ': ' .. name or test
  counts[key] = (counts[key] or 0) + 1
  if counts[key] > 1 then key = key .. ' (' .. counts[key] .. ')' end
  return (key:gsub('%s*[\n\r]%s*', ' '):gsub('%c', ' '))
end

-- Whether another test has used the name with another text, so that one of them must fail.
local function is_disputed(key, file, text)
  local id = file .. '\n' .. key
  local taker = takers[id]
  if taker and taker.test ~= counted then return taker.text ~= text end
  takers[id] = { test = counted, text = text }
  return false
end

local function snapshot(state, arguments, level)
  local value, name = arguments[1], arguments[2]
  if arguments.n == 0 then
    require('luassert.misuse').raise('assert.snapshot(value or ui [, name]) needs a value', level)
  end
  if name ~= nil and type(name) ~= 'string' then
    require('luassert.misuse').bad_type(2, 'snapshot', 'string', type(name), level)
  end
  local isGood, text = pcall(text_of, value)
  if not isGood then require('luassert.misuse').raise(tostring(text), level) end
  local key, file = key_of(name), host.snapshotFile()
  local kept, isDisputed = host.snapshotOf(key), is_disputed(key, file, text)
  local results = table.pack(table.unpack(arguments, 1, arguments.n))
  if settings.updatesSnapshots and state.mod then
    if isDisputed then
      state.failure_message = ('Another test has the snapshot "%s", with another text; '):format(key)
        .. 'give one of the tests another name, or the snapshot: assert.snapshot(value, name)'
      return false, results
    end
    host.takeSnapshot(key, text)
    return true, results
  end
  local problem = host.snapshotProblem()
  if problem then
    state.failure_message = problem .. '; mend the file, or have `tidelock test -u` write it anew'
    return not state.mod, results
  end
  if not kept then
    state.failure_message = ('There is no snapshot "%s" in %s.\n'):format(key, file)
      .. '`tidelock test -u` writes it; it would be:\n' .. text
    return not state.mod, results
  end
  if kept == text then
    if not state.mod then state.failure_message = 'Expected another text than in ' .. file end
    return true, results
  end
  state.failure_message = ('Expected the snapshot "%s" in %s (-), got (+):\n'):format(key, file)
    .. require('tidelock.test.diff').text(kept, text)
    .. (isDisputed and '\nAnother test has a snapshot of this name, with another text; name it: '
      .. 'assert.snapshot(value, name)'
      or '\nWhere the change is wanted, `tidelock test -u` writes it.')
  return false, results
end

namespaces.provide('assertion', { name = 'snapshot', callback = snapshot })

return true
