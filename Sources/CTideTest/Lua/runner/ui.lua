-- `ui`: a person in front of what a test shows.
--
--   ui.mount("app.lua")
--   ui.type("draft", "Sing")
--   ui.press("Enter")
--   assert.equal("1 task", views.count.text)

local host, api = ...
local G = _G
local error, pcall, select, tostring, type = error, pcall, select, tostring, type
local getinfo, unpack = debug.getinfo, table.unpack
local ui, driving = {}, {}

-- What goes wrong in a word of ours goes wrong in the line of the spec.
local function raise(text)
  local level = 2
  local info = getinfo(level, 'S')
  while info and (info.what == 'C' or info.source:find '^=%[') do
    level = level + 1
    info = getinfo(level, 'S')
  end
  error(text, info and level or 0)
end

local function given(isGood, ...)
  if isGood then return ... end
  raise((tostring((...)):gsub('^%[tidelock[^\n]-:%d+: ', '')))
end

for name, fn in next, host.ui do
  driving[name] = function(...)
    return given(pcall(fn, ...))
  end
end

local function mount_app(name, arguments)
  local chunk, file = driving.beginApp(name)
  -- Put back with the other globals when the test ends.
  G.arg = table.move(arguments or {}, 1, arguments and #arguments or 0, 1, { [0] = file })
  local result
  -- A context of the file's name, which belongs to the test.
  api.context(file, function() result = chunk(unpack(G.arg)) end)
  return result, file
end

--- Shows a view, or runs an app's file and shows what it shows; gives the view. `options` is a size,
--- or a table of `size` and, for an app, `arg`.
function ui.mount(what, options)
  local size, arguments = options, nil
  if type(options) == 'table' then size, arguments = options.size or options[1], options.arg end
  if type(what) ~= 'string' then
    driving.mount(what, size)
    return what
  end
  local view, file = mount_app(what, arguments)
  -- What else an app may give is nothing to show, as when it is run.
  if host.isView(view) then
    driving.mount(view, size)
  elseif not driving.isShowing() then
    raise(file .. ' shows no view: return one, or call show(view)')
  else
    driving.finish(size)
  end
  return view
end

for _, name in ipairs { 'tap', 'focus', 'type', 'press', 'select' } do
  ui[name] = driving[name]
end

--- What is shown, or one view of it, as text. A size may be "80x24" or { "80x24" }.
function ui.snapshot(...)
  local given = { ... }
  for index = 1, select('#', ...) do
    if type(given[index]) == 'table' then given[index] = given[index][1] end
  end
  return driving.snapshot(unpack(given, 1, select('#', ...)))
end

return setmetatable(ui, {
  __index = function(_, name)
    error(('ui has no word "%s"; it has mount, tap, type, press, focus, select and snapshot')
      :format(tostring(name)), 2)
  end,
})
