-- `assert.snapshot(value or ui [, name])`: a value's text is the one kept beside the spec.

local namespaces = require 'luassert.namespaces'
local words = require 'tidelock.test.words'
local host, settings = words.host, words.settings

-- How often each name has come in the running test.
local counts, counted = {}, nil

local function shown(text)
  text = text:gsub('\r\n', '\n')
  if not utf8.len(text) then
    text = text:gsub('[\128-\255]', function(byte) return ('\\x%02X'):format(byte:byte()) end)
  end
  -- What no editor shows would be lost in the file.
  text = text:gsub('[%z\1-\8\11-\31\127]', function(byte) return ('\\x%02X'):format(byte:byte()) end)
  return text
end

local function text_of(value)
  if type(value) == 'string' then return shown(value) end
  if value == words.ui() then return shown(host.ui.snapshot()) end
  local is_view = type(value) == 'userdata' and words.isView(value)
  return shown(is_view and host.ui.snapshot(value) or words.api.dump(value))
end

local function key_of(name)
  local test = host.testName()
  if counted ~= host.testNumber() then counts, counted = {}, host.testNumber() end
  local key = name and test .. ': ' .. name or test
  counts[key] = (counts[key] or 0) + 1
  if counts[key] > 1 then key = key .. ' (' .. counts[key] .. ')' end
  return (key:gsub('%s*\n%s*', ' '))
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
  local kept = host.snapshotOf(key)
  local results = table.pack(table.unpack(arguments, 1, arguments.n))
  if settings.updatesSnapshots and state.mod then
    host.takeSnapshot(key, text)
    return true, results
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
    .. '\nWhere the change is wanted, `tidelock test -u` writes it.'
  return false, results
end

namespaces.provide('assertion', { name = 'snapshot', callback = snapshot })

return true
