-- `ui`: a person in front of what a test shows.
--
--   ui.mount("app.lua")
--   ui.type("draft", "Sing")
--   ui.press("Enter")
--   assert.equal("1 task", views.count.text)

local host, api = ...
local G = _G
local error, pcall, select, tostring, type = error, pcall, select, tostring, type
local unpack = table.unpack
local driving = {}

-- What goes wrong in a word of ours goes wrong in the line of the spec: level 3.
local function given(isGood, ...)
  if isGood then return ... end
  error(tostring((...)):gsub('^%[tidelock[^\n]-:%d+: ', ''), 3)
end

for name, fn in next, host.ui do
  driving[name] = function(...)
    return given(pcall(fn, ...))
  end
end

local ui = {}

local function mount_app(name)
  local chunk, file = host.ui.beginApp(name)
  local arguments = G.arg or {}
  local result
  -- A context of the file's name, which belongs to the test.
  api.context(file, function() result = chunk(unpack(arguments)) end)
  return result, file
end

--- Shows a view, or runs an app's file and shows what it shows; gives the view.
function ui.mount(what, size)
  if type(what) ~= 'string' then
    driving.mount(what, size)
    return what
  end
  local view, file = mount_app(what)
  if view ~= nil and view ~= false then
    driving.mount(view, size)
  elseif not driving.isShowing() then
    error(file .. ' shows no view: return one, or call show(view)', 2)
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

return ui
