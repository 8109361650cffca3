-- Controls by keyboard, and their bindings.

local function shown(root)
  show(root)
  root:snapshot()
  return root
end

case("a button is pressed by Enter and Space", function()
  local count = 0
  local button = view.button { title = "b", on = { touchUpInside = function() count = count + 1 end } }
  shown(view.column { button })
  keys "Tab Enter Space x"
  same(count, 2)
  button.enabled = false
  keys "Enter"
  same(count, 2)
end)

case("switches write the model and then tell", function()
  for _, class in ipairs { "toggle", "checkbox" } do
    local some = model(class) { on = false }
    local told = {}
    local node = view[class] { title = "t", bindTo = { isOn = "<> " .. class .. ".on" },
      on = { valueChanged = function(sender) told[#told + 1] = tostring(sender.isOn) .. tostring(some.on) end } }
    shown(view.column { node })
    node:focus()
    keys "Space Enter"
    same(table.concat(told, " "), "truetrue falsefalse")
    some.on = true
    same(node.isOn, true)
    same(#told, 2)
  end
end)

case("sliders and steppers go by steps between their ends", function()
  for _, class in ipairs { "slider", "stepper" } do
    local some = model(class) { value = 5 }
    local told = 0
    local node = view[class] { minimum = 0, maximum = 10, step = 2, bindTo = { value = "<> " .. class .. ".value" },
      on = { valueChanged = function() told = told + 1 end } }
    shown(view.column { node })
    node:focus()
    keys "Right"
    if some.value <= 5 or some.value ~= node.value then error(class .. " is " .. some.value) end
    keys "End"
    same(some.value, 10)
    keys "Right"
    same(some.value, 10)
    keys "Home"
    same(some.value, 0)
    same(told, 3)
    -- What is beyond the ends is the model's own business.
    some.value = 99
    same(node.value, 99)
    keys "Left"
    if some.value > 10 then error(class .. " is " .. some.value) end
    some.value = 3
    same(node.value, 3)
  end
end)

case("numbers that make no sense do a control no harm", function()
  for _, class in ipairs { "slider", "stepper", "progress" } do
    for _, wrong in ipairs { 0 / 0, math.huge, -math.huge, -1e308, 1e308, math.maxinteger } do
      for _, name in ipairs { "value", "minimum", "maximum", "step" } do
        local node = view[class] { [name] = wrong }
        shown(view.column { node })
        node:focus()
        keys "Right Left PageUp End Home"
        node:snapshot(20, 2)
      end
    end
  end
end)

case("choices follow the object, the index and each other", function()
  local fruits = list { object { name = "fig" }, object { name = "pear" }, object { name = "plum" } }
  for _, class in ipairs { "picker", "radio", "list", "table", "tree", "collection" } do
    local some = model(class) { items = fruits, chosen = property {} }
    local node = view[class] { bindTo = { items = class .. ".items", selectedObject = "<> " .. class .. ".chosen" } }
    same(node.selectedIndex, nil)
    some.chosen = fruits[2]
    same(node.selectedIndex, 2)
    node.selectedIndex = 3
    same(some.chosen, fruits[3])
    node.selectedObject = fruits[1]
    same(node.selectedIndex, 1)
    same(some.chosen, fruits[1])
    some.chosen = nil
    same(node.selectedIndex, nil)
  end
end)

case("a choice that is not among the items yet is waited for, and the model keeps it", function()
  for _, class in ipairs { "picker", "radio", "list", "table", "tree", "collection" } do
    local fig, pear = object { name = "fig" }, object { name = "pear" }
    local some = model(class) { items = list {}, chosen = property {}, index = property { type = "integer" } }
    some.chosen = pear
    some.index = 2
    local byObject = view[class] { bindTo = { items = class .. ".items", selectedObject = "<> " .. class .. ".chosen" } }
    local byIndex = view[class] { bindTo = { items = class .. ".items", selectedIndex = "<> " .. class .. ".index" } }
    shown(view.column { byObject, byIndex })
    same(some.chosen, pear)
    same(some.index, 2)
    same(byObject.selectedIndex, nil)
    some.items:append(fig)
    some.items:append(pear)
    byObject:snapshot()
    same(byObject.selectedIndex, 2)
    same(byIndex.selectedObject, pear)
    same(some.chosen, pear)
    same(some.index, 2)
    -- What was there and is taken out is no longer chosen.
    some.items:remove(2)
    same(some.chosen, nil)
    same(byObject.selectedIndex, nil)
    -- Nor is what another choice takes the place of.
    some.chosen = fig
    same(byObject.selectedIndex, 1)
    some.chosen = pear
    same(byObject.selectedIndex, nil)
    same(byObject.selectedObject, pear)
  end
end)

case("a field tells when editing begins, goes on and ends", function()
  local told = {}
  local handlers = {}
  for _, name in ipairs { "editingDidBegin", "editingChanged", "editingDidEnd", "editingDidEndOnExit" } do
    handlers[name] = function(sender) told[#told + 1] = name .. "=" .. sender.text end
  end
  local field = view.field { maxLength = 3, on = handlers }
  shown(view.column { field, view.button { id = "next" } })
  keys "Tab a b Enter Tab"
  same(table.concat(told, " "),
    "editingDidBegin= editingChanged=a editingChanged=ab editingDidEndOnExit=ab editingDidEnd=ab")
  same(views.next.focused, true)
  told = {}
  keys "Shift-Tab c d Tab"
  same(table.concat(told, " "), "editingDidBegin=ab editingChanged=abc editingDidEnd=abc")
  field.editable = false
  field:focus()
  keys "x Backspace"
  same(field.text, "abc")
end)

case("a field never drifts from its model", function()
  local some = model "some" { age = property { default = 3, type = "integer", validate = function(self, value)
    if value < 0 then return nil, "age must not be negative" end
    return math.min(value, 100)
  end } }
  local field = view.field { bindTo = { text = "<> some.age" } }
  same(field.text, "3")
  field.text = "250"
  same(some.age, 100)
  same(field.text, "100")
  field.text = "-5"
  same(some.age, 100)
  same(field.text, "-5")
  same(field.error, "age must not be negative")
  field.text = "abc"
  same(field.text, "abc")
  same(some.age, 100)
  field.text = "7.0"
  same(field.error, nil)
  same(field.text, "7.0")
  same(some.age, 7)
  some.age = 8
  same(field.text, "8")
end)

case("what a model replaces is seen at the other end, also when it had that already", function()
  local some = model "some" {
    level = property { default = 10, validate = function(_, value) return math.min(value, 10) end },
    on = property { default = true, validate = function() return true end },
  }
  local slider = view.slider { maximum = 20, bindTo = { value = "<> some.level" } }
  local box = view.checkbox { bindTo = { isOn = "<> some.on" } }
  for level = 11, 15 do
    slider.value = level
    same(slider.value, 10)
    box.isOn = false
    same(box.isOn, true)
  end
  slider.value = 3
  same(some.level, 3)
  local one, other = object { n = 5 }, object { n = property { default = 5, validate = function(_, value)
    return value // 2 * 2
  end } }
  bind("n <> n", one, other)
  for n = 3, 9 do
    one.n = n
    same(one.n, n // 2 * 2)
    same(other.n, n // 2 * 2)
  end
  local rising = object { n = property { default = 0, validate = function(_, value) return value + 1 end } }
  local start = object { n = 0 }
  bind("n <> n", start, rising)
  start.n = 5
  assert(#errors() > 0 or start.n == rising.n)
end)

case("tabs, splits and scrolls keep where they are in properties", function()
  local some = model "some" { tab = 1, place = 5, down = 0 }
  local tabs = view.tabs { titles = { "One", "Two" }, bindTo = { selected = "<> some.tab" },
    view.label { text = "first" }, view.label { text = "second" } }
  local root = shown(view.column { tabs })
  tabs:focus()
  keys "Right"
  same(some.tab, 2)
  same(tabs:snapshot(12, 3), " One  Two\n─────━━━━━──\nsecond")
  some.tab = 1
  same(tabs:snapshot(12, 3), " One  Two\n━━━━━───────\nfirst")
  for _, wrong in ipairs { 0, -1, 99, math.maxinteger, math.mininteger } do
    tabs.selected = wrong
    tabs:snapshot(12, 3)
    keys "Left Right"
  end
  local scroll = view.scroll { scrollY = 1e308, view.label { text = "1\n2\n3" } }
  same(scroll:snapshot(4, 1):sub(1, 1), "3")
  for _, wrong in ipairs { 0 / 0, -1e308, math.huge, 1e308 } do
    view.scroll { scrollX = wrong, scrollY = wrong, view.label { text = "1\n2\n3" } }:snapshot(4, 1)
    view.split { position = wrong, view.label {}, view.label {} }:snapshot(10, 2)
  end
end)

case("a dialog that nobody closes is hidden by Escape", function()
  local dialog = view.dialog { title = "Sure?", modal = true, view.button { title = "Yes" } }
  local root = shown(view.column { view.button { id = "below", title = "below" }, dialog })
  same(views.below.focused, false)
  same(dialog.subviews[1].focused, true)
  keys "Escape"
  root:snapshot()
  same(dialog.hidden, true)
  dialog.hidden = false
  root:snapshot()
  local asked = 0
  on(dialog, "close", function() asked = asked + 1 end)
  keys "Escape"
  same(asked, 1)
  same(dialog.hidden, false)
end)

case("cells are used again, and rows appear and go in pairs", function()
  local made, count, appeared, gone = 0, 0, {}, {}
  local items = {}
  for i = 1, 1000 do items[i] = { name = "row " .. i } end
  local rows = view.list { items = items, height = 5,
    cell = function()
      made = made + 1
      return view.cell { view.label { bindTo = { text = "@cell.dataObject.name" } } }
    end,
    on = {
      willDisplay = function(_, event) appeared[event.index] = (appeared[event.index] or 0) + 1 end,
      didEndDisplaying = function(_, event) gone[event.index] = (gone[event.index] or 0) + 1 end,
    } }
  local root = shown(view.column { rows })
  rows:focus()
  for i = 1, 20 do
    keys "PageDown"
    root:snapshot()
  end
  keys "Home"
  root:snapshot()
  if made > 30 then error("made " .. made .. " cells") end
  for index, times in pairs(appeared) do
    local inSight = index <= 5
    same((gone[index] or 0) + (inSight and 1 or 0), times)
    count = count + times
  end
  if count < 90 then error("only " .. count .. " rows appeared") end
end)

case("progress of unknown value shows a part on its way", function()
  local bar = view.progress { width = 8, value = 0.5 }
  local root = shown(view.column { bar })
  same(root:snapshot(), "████┈┈┈┈")
  for _, unknown in ipairs { "nil", "nan" } do
    bar.value = unknown == "nan" and 0 / 0 or nil
    same(root:snapshot(), "██┈┈┈┈┈┈")
    bar.value = 1
    same(root:snapshot(), "████████")
  end
end)

case("a cell function that fails or gives no view is an error with its place", function()
  local rows = view.list { items = { 1, 2 }, cell = function(object) return 5 end }
  shown(view.column { rows })
  local cause = errors()[1]
  if cause then
    same(cause.message, "a list's cell function gives a view, not 5 (list, row 1 (\"1\") and 1 more)")
    if not tostring(cause.location):find("controls.lua:", 1, true) then error("at " .. tostring(cause.location)) end
  end
end)

case("other items never write the model, and its choice shows again as soon as it is there", function()
  for _, kind in ipairs { "picker", "radio", "list", "table", "collection" } do
    local order = model("order" .. kind) { chosen = "a", index = 1, items = list { "a", "b", "c" } }
    for _, bound in ipairs { "chosen", "index" } do
      order.items = list { "a", "b", "c" }
      local property = bound == "chosen" and "selectedObject" or "selectedIndex"
      local shown = view[kind] { bindTo = {
        items = "order" .. kind .. ".items", [property] = "<> order" .. kind .. "." .. bound } }
      show(shown)
      order.chosen, order.index = "b", 2
      same(shown.selectedIndex, 2)
      order.items:clear()
      same(shown.selectedIndex, nil)
      same(order[bound], bound == "chosen" and "b" or 2)
      order.items:append("x")
      same(shown.selectedIndex, nil)
      order.items:append("b")
      same(shown.selectedIndex, 2)
      order.items = list {}
      same(shown.selectedIndex, nil)
      order.items = list { "c", "b" }
      same(shown.selectedObject, "b")
      same(order[bound], bound == "chosen" and "b" or 2)
    end
  end
end)

case("items are the same by their key, and a choice is bound by it", function()
  local function people() return { { id = 1, name = "Ann" }, { id = 2, name = "Bob" }, { id = 3, name = "Cid" } } end
  for _, kind in ipairs { "picker", "radio", "list", "table", "collection" } do
    for _, key in ipairs { "id", "function" } do
      local order = model("ordered" .. kind .. key) { id = 2 }
      local items = list(people())
      local shown = view[kind] { items = items, key = key == "id" and "id" or function(item) return item.id end,
        bindTo = { selectedValue = "<> ordered" .. kind .. key .. ".id" } }
      show(shown)
      same(shown.selectedObject.name, "Bob")
      items:set { { id = 3, name = "Cid" }, { id = 2, name = "Rob" } }
      same(shown.selectedObject.name, "Rob")
      same(order.id, 2)
      shown.selectedIndex = 1
      same(order.id, 3)
      order.id = 2
      same(shown.selectedIndex, 2)
      items:clear()
      same(order.id, 2)
      same(shown.selectedValue, nil)
      order.id = 1
      items:set(people())
      same(shown.selectedObject.name, "Ann")
      same(shown.selectedValue, 1)
    end
  end
end)

case("a picker says that what the model has is not among its items", function()
  model "missed" { id = 7, none = null }
  local picker = view.picker { items = { 1, 2 }, missing = "gone", placeholder = "choose",
    bindTo = { selectedObject = "<> missed.id" } }
  show(picker)
  same(picker:snapshot(12, 1):find("gone", 1, true) ~= nil, true)
  models.missed.id = 2
  same(picker:snapshot(12, 1):find("gone", 1, true), nil)
end)
