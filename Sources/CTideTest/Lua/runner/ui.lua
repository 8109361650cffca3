-- `ui`: acts as a person who uses the screen of a test.
--
--   ui.mount("app.lua")
--   ui.type("draft", "Sing")
--   ui.press("Enter")
--   assert.equal("1 task", views.count.text)

local host, api, locations = ...
local G = _G
local error, next, pcall, select, tostring, type = error, next, pcall, select, tostring, type
local unpack = table.unpack
local ui = {}
local names = {
  'mount', 'session', 'tap', 'doubleClick', 'drag', 'wheel', 'hover', 'contextMenu', 'type', 'paste',
  'press', 'focus', 'select', 'snapshot',
}

-- Raises an error at the line of the spec, unless the error has a location of its own, such as a
-- mistake in an app's file.
local function raise(text)
  if text:find('^[^\n:]+:%d+: ') or text:find('^[^\n:]+:%d+:%d+: ') then error(text, 0) end
  locations.raise(text)
end

local function given(isGood, ...)
  if isGood then return ... end
  raise(locations.without_ours((...)))
end

-- Wraps the host's functions so that their errors name the line of the spec.
local function told(functions)
  local words = {}
  for name, fn in next, functions do
    words[name] = function(...)
      return given(pcall(fn, ...))
    end
  end
  return words
end

local driving = told(host.ui)

-- Reads "80x24", { "80x24" } or { size = "80x24" }. Returns the size and the whole table.
local function size_of(options, word, known)
  if type(options) ~= 'table' then return options, {} end
  for key in next, options do
    if key ~= 1 and not known[key] then
      local list = {}
      for name in next, known do
        list[#list + 1] = name
      end
      raise(('%s has no option "%s"%s'):format(word, tostring(key), host.hint(tostring(key), list)))
    end
  end
  return options.size or options[1], options
end

local mount_options, snapshot_options = { size = true, arg = true }, { size = true }

local function mount_app(name, arguments)
  local chunk, file = driving.beginApp(name)
  -- Restored with the other globals when the test ends.
  G.arg = table.move(arguments or {}, 1, arguments and #arguments or 0, 1, { [0] = file })
  local result
  -- A context with the file's name, which belongs to the test.
  api.context(file, function() result = chunk(unpack(G.arg)) end)
  return result, file
end

--- Shows a view, or runs an app's file and shows its view. Returns the view. `options` is a size,
--- or a table with `size` and, for an app, `arg`.
function ui.mount(what, options)
  local size, given_options = size_of(options, 'ui.mount', mount_options)
  local arguments = given_options.arg
  if arguments ~= nil and type(arguments) ~= 'table' then
    raise('ui.mount: arg is a list of texts, not a ' .. type(arguments))
  end
  if type(what) ~= 'string' then
    driving.mount(what, size)
    return what
  end
  local view, file = mount_app(what, arguments)
  -- Other results of an app are not shown, as in a normal run.
  if host.isView(view) then
    driving.mount(view, size)
  elseif not driving.isShowing() then
    raise(file .. ' shows no view: return one, or call show(view)')
  else
    driving.finish(size)
  end
  return view
end

-- Adds the acts of a person at a screen, for `ui` and for sessions.
local function add_words(person, driving)
  person.tap, person.focus, person.select = driving.tap, driving.focus, driving.select
  person.doubleClick, person.hover = driving.doubleClick, driving.hover
  person.contextMenu, person.drag, person.wheel = driving.contextMenu, driving.drag, driving.wheel
  person.paste = driving.paste

  --- Focuses a view and types into it. A number is typed as text.
  function person.type(view, text)
    if type(text) == 'number' then text = tostring(text) end
    driving.type(view, text)
  end

  --- Presses keys by name, given in one text or several.
  function person.press(keys, ...)
    if select('#', ...) == 0 then return driving.press(keys) end
    local isTaken = true
    for _, each in ipairs { keys, ... } do
      isTaken = driving.press(each) and isTaken
    end
    return isTaken
  end

  --- The screen, or one view of it, as text: `ui.snapshot([view or id] [, size])`.
  --- A size may be "80x24" or { "80x24" }.
  function person.snapshot(what, options)
    if type(what) == 'table' or type(what) == 'string' and what:find '^%d' then
      what, options = nil, what
    end
    local size = size_of(options, 'ui.snapshot', snapshot_options)
    return driving.snapshot(what, size)
  end
end

add_words(ui, driving)

-- Raises an error that lists the words of a table when a missing one is read.
local function closed(words, what, names)
  return setmetatable(words, {
    __index = function(_, name)
      local hint = host.hint(tostring(name), names)
      error(('%s has no word "%s"%s'):format(what, tostring(name), hint ~= '' and hint
        or '; it has ' .. table.concat(names, ', ', 1, #names - 1) .. ' and ' .. names[#names]), 2)
    end,
  })
end

local session_names = { 'value', 'errors', 'close', table.unpack(names, 3) }

--- Starts an app of another person, with its own interpreter, models and screen and the same shared models. Returns
--- that person's words. `options` is a size, or a table of `size` and `arg`.
function ui.session(name, file, options)
  if type(name) ~= 'string' or type(file) ~= 'string' then
    raise('ui.session takes the name of a person and that of an app\'s file')
  end
  local size, given_options = size_of(options, 'ui.session', mount_options)
  local arguments = given_options.arg
  if arguments ~= nil and type(arguments) ~= 'table' then
    raise('ui.session: arg is a list of texts, not a ' .. type(arguments))
  end
  local texts = {}
  for index, argument in ipairs(arguments or {}) do
    texts[index] = tostring(argument)
  end
  local words = told(driving.beginSession(name, file, texts, size))
  local person = { errors = words.errors, close = words.close }
  add_words(person, words)

  --- The value of an expression in that person's scripts, as plain values.
  function person.value(expression)
    local text = words.value(expression)
    if text ~= nil then return api.json.decode(text) end
  end

  return closed(person, name, session_names)
end

return closed(ui, 'ui', names)
