-- What a person presses goes into the record that was under it when they began, or nowhere.
local function newRow(name) return { name = name, n = 5, children = list {} } end

local controls = {
  stepper = { "Right", function(path) return view.stepper { bindTo = { value = path .. ".n" } } end },
  slider = { "Right", function(path)
    return view.slider { maximum = 100, step = 1, bindTo = { value = path .. ".n" } }
  end },
  picker = { "Down Down Enter", function(path)
    return view.picker { items = list { "a", "b", "c" }, bindTo = { selectedObject = path .. ".name" } }
  end },
  radio = { "Down", function(path)
    return view.radio { items = list { "a", "b", "c" }, bindTo = { selectedObject = path .. ".name" } }
  end },
  field = { "x", function(path) return view.field { bindTo = { text = path .. ".name" } } end },
}

describe("A removed row", function()
  for _, kind in ipairs { "list", "table", "tree", "collection" } do
    for class, control in pairs(controls) do
      it(("passes no key of its %s to the row in its place, in a %s"):format(class, kind), function()
        local keys, make = table.unpack(control)
        local rows = list { newRow "a", newRow "a" }
        local options = { id = "l", height = 8, items = rows }
        if kind == "table" then
          options.columns = { { title = "c", cell = function()
            return make "<> @superview.dataObject"
          end } }
        else
          options.cell = function() return view.cell { make "<> dataObject" } end
        end
        if kind == "collection" then options.itemWidth = 20 end
        ui.mount(view[kind](options))
        ui.focus(views.l:find { class = class })
        ui.press(keys)
        assert.is_true(rows[1].name ~= "a" or rows[1].n ~= 5)
        rows[1] = newRow "a"
        ui.press(keys)
        for _, row in ipairs(rows) do assert.equal("a 5", row.name .. " " .. row.n) end
      end)
    end
  end
end)

describe("A row that is edited", function()
  for name, items in pairs {
    ["a map"] = function(map) return { items = map } end,
    ["a controller of a map"] = function() return { bindTo = { items = "shown.arrangedObjects" } } end,
  } do
    it("stays the same row of " .. name, function()
      local rows = list { { name = "a" }, { name = "b" } }
      local map = rows:map(function(r) return { label = r.name .. "!", row = r } end)
      controller.list { name = "shown", content = map, sort = "label" }
      local options = items(map)
      options.id, options.height = "l", 4
      options.cell = function()
        return view.cell { view.field { bindTo = { text = "<> dataObject.row.name" } } }
      end
      ui.mount(view.column { view.list(options), view.field { id = "z" } })
      ui.focus(views.l:find { class = "field" })
      ui.press "End x" ui.press "y" ui.press "z"
      assert.equal("axyz", rows[1].name)
      assert.equal(0, #errors { editing = true })
      ui.focus "z"
      assert.equal("axyz!", map[1].label)
    end)
  end

  it("is released without taking the place of the row that is chosen next", function()
    local rows = list { { name = "a", n = 1 }, { name = "b", n = 2 }, { name = "c", n = 3 } }
    local people = controller.list { name = "people", content = rows, sort = "n" }
    ui.mount(view.list { id = "l", height = 4,
      bindTo = { items = "people.arrangedObjects", selectedIndex = "<> people.selectionIndex" },
      cell = function()
        return view.cell { view.stepper { bindTo = { value = "<> dataObject.n" } } }
      end })
    local steppers = {}
    for _, cell in ipairs(views.l.subviews) do
      steppers[cell.dataObject.name] = cell:find { class = "stepper" }
    end
    ui.focus(steppers.a)
    for _ = 1, 8 do ui.press "Right" end
    assert.equal("a", people.arrangedObjects[1].name)
    ui.focus(steppers.c)
    assert.equal("a", people.arrangedObjects[3].name)
    assert.equal("c", people.selectedObject.name)
    ui.press "Right"
    assert.equal("9 2 4", rows[1].n .. " " .. rows[2].n .. " " .. rows[3].n)
  end)

  for _, mode in ipairs { "one", "many" } do
    for _, kind in ipairs { "tree", "list", "table" } do
      it(("leaves the selection of a %s to the row that is chosen next, in mode %s"):format(kind, mode), function()
        local rows, heard = list { newRow "a", newRow "b", newRow "c" }, {}
        local people = controller[kind == "tree" and "tree" or "list"] {
          name = "people", sort = "name", content = rows }
        local options = { id = "l", height = 5, selectionMode = mode,
          on = { didSelect = function(_, event) heard[#heard + 1] = event.value.name end } }
        if kind == "tree" then options.items = people
        else
          options.bindTo = { items = "people.arrangedObjects",
            [mode == "many" and "selectedIndexes" or "selectedIndex"] =
              mode == "many" and "<> people.selectionIndexes" or "<> people.selectionIndex" }
        end
        if kind == "table" then options.columns = { { title = "Name", path = "name" } } end
        ui.mount(view.column {
          view[kind](options),
          view.field { id = "f", bindTo = { text = "<> people.selection.name" } } })
        local function choose(index)
          if kind == "tree" then people.selectionIndexPath = { index } else people.selectionIndex = index end
        end
        local function selected()
          ui.snapshot()
          return { #people.selectedObjects, people.selectedObjects[1].name,
            views.l.selectedObject.name, views.l.selectedIndex }
        end
        choose(1)
        ui.focus "f"
        ui.press "Home z"
        choose(2)
        assert.same({ 1, "b", "b", 1 }, selected())
        ui.focus "f"
        ui.press "Home z"
        ui.select("l", 2)
        assert.same({ 1, "c", "c", 1 }, selected())
        assert.same({ "c" }, heard)
        assert.same({ "za", "zb", "c" }, { rows[1].name, rows[2].name, rows[3].name })
      end)
    end
  end

  it("carries the index of the chosen row back to a model that has chosen it", function()
    local rows = list { newRow "a", newRow "b", newRow "c" }
    local people = controller.list { name = "people", sort = "name", content = rows }
    local desk = model "desk" { chosen = 1 }
    bind("chosen <> selectionIndex", desk, people)
    ui.mount(view.column {
      view.list { id = "l", height = 4,
        bindTo = { items = "people.arrangedObjects", selectedIndex = "<> people.selectionIndex" } },
      view.field { id = "f", bindTo = { text = "<> people.selection.name" } } })
    for _, choose in ipairs {
      function() desk.chosen = 2 end, function() views.l.selectedIndex = 2 end,
      function() batch(function() people.selectionIndex = 2 end) end,
    } do
      ui.focus "f"
      ui.press "Home z"
      local second = people.arrangedObjects[2]
      choose()
      assert.equal(second, people.selectedObject)
      assert.same({ 1, 1, 1 }, { people.selectionIndex, desk.chosen, views.l.selectedIndex })
      assert.is_nil(people.editedObject)
    end
  end)

  it("stays selected in the model though an index that was set before finds a row", function()
    local desk = model "desk" { current = property { nullable = true }, hides = false }
    local rows = list { { name = "a" }, { name = "b" } }
    ui.mount(view.column {
      view.list { id = "l", height = 3, items = rows:filter(function() return not desk.hides end),
        bindTo = { selectedObject = "<> desk.current" } },
      view.field { id = "f", bindTo = { text = "<> desk.current.name" } },
      view.field { id = "z" } })
    desk.current = rows[2]
    desk.hides = true
    views.l.selectedIndex = 1
    ui.focus "f"
    ui.press "End x"
    desk.hides = false
    ui.press "y"
    assert.equal("a bxy", rows[1].name .. " " .. rows[2].name)
  end)

  it("keeps its place among the entries of a dictionary while its key is typed", function()
    local entries = controller.dictionary { name = "entries",
      content = dict { apple = "red", fig = "blue", pear = "green" } }
    ui.mount(view.column {
      view.list { id = "l", height = 4, items = entries.arrangedObjects, cell = function()
        return view.cell { view.field { bindTo = { text = "<> dataObject.key" } } }
      end },
      view.field { id = "z" } })
    ui.focus(views.l:find { class = "field" })
    ui.press "Home z"
    assert.equal("zapple", entries.arrangedObjects[1].key)
    ui.focus "z"
    assert.equal("fig", entries.arrangedObjects[1].key)
  end)
end)

describe("A record in a form of its own", function()
  local rows, form

  -- Focuses the form, types a letter, does something, and types another.
  local function edit(continuous, act)
    ui.focus(continuous and "live" or "late")
    ui.press "End X"
    ui.snapshot()
    act()
    ui.snapshot()
    ui.press "End Y"
    ui.snapshot()
  end

  before_each(function()
    rows = list { { name = "a" }, { name = "b" }, { name = "c" } }
    form = model "form" { rows = rows, item = rows[1], others = list {} }
  end)

  local function fields()
    return view.column {
      view.field { id = "live", bindTo = { text = "<> form.item.name" } },
      view.field { id = "late", bindTo = { text = { path = "<> form.item.name", continuous = false } } },
      view.field { id = "z" } }
  end

  local showing = {
    ["that nothing lists"] = function() return fields() end,
    ["that a list shows"] = function()
      return view.column { view.list { id = "l", height = 4, items = rows }, fields() }
    end,
    ["that was chosen in a list"] = function()
      return view.column { fields(), view.list { id = "l", height = 4, items = rows, on = {
        didSelect = function(_, event) form.item = event.value end } } }
    end,
    ["that was chosen through a controller"] = function()
      controller.list { name = "shown", content = rows }
      return view.column { fields(), view.table { id = "l", height = 5, columns = { { path = "name" } },
        bindTo = { items = "shown.arrangedObjects", selectedIndex = "<> shown.selectionIndex" },
        on = { didSelect = function(_, event) form.item = event.value end } } }
    end,
  }

  for name, show in pairs(showing) do
    for _, continuous in ipairs { true, false } do
      for what, act in pairs {
        ["is removed"] = function() rows:remove(1) end,
        ["is replaced"] = function() rows[1] = { name = "new" } end,
        ["goes with all rows"] = function() rows:set { { name = "n" } } end,
      } do
        it(("%s takes no letter after it %s, continuous = %s"):format(name, what, continuous), function()
          ui.mount(show())
          if name:find "chosen" then ui.select("l", 2) ui.select("l", 1) end
          local first, second = rows[1], rows[2]
          edit(continuous, act)
          assert.equal(continuous and "aX" or "a", first.name)
          assert.equal("b", second.name)
          local told = errors { editing = true }
          assert.equal(1, #told)
          assert.truthy(told[1].message:find(continuous and '"Y"' or '"aXY"', 1, true))
          ui.focus "z"
          assert.equal(continuous and "aX" or "a", first.name)
        end)
      end
    end
  end

  it("takes letters after it was moved to another list", function()
    local others = list {}
    ui.mount(fields())
    edit(true, function()
      others:append(rows[1])
      rows:remove(1)
    end)
    assert.equal("aXY", others[1].name)
    assert.equal(0, #errors { editing = true })
  end)

  it("takes letters while another list of a model has it", function()
    form.others:append(rows[1])
    ui.mount(fields())
    edit(true, function() rows:remove(1) end)
    assert.equal("aXY", form.others[1].name)
    assert.equal(0, #errors { editing = true })
  end)

  it("takes letters while its rows are put in order", function()
    ui.mount(fields())
    edit(true, function() rows:move(1, 3) rows:set { rows[3], rows[1], rows[2] } end)
    assert.equal("aXY", form.item.name)
    assert.equal(0, #errors { editing = true })
  end)
end)

describe("What has the focus", function()
  for name, make in pairs {
    ["in a grid of one column"] = function(f) return view.grid { columns = 1, table.unpack(f) } end,
    ["in a grid"] = function(f) return view.grid { columns = 2, table.unpack(f) } end,
    ["in a grid in a box"] = function(f) return view.box { view.grid { columns = 2, table.unpack(f) } } end,
    ["in a grid in a form"] = function(f)
      return view.form { view.grid { label = "x", columns = 2, table.unpack(f) } }
    end,
    ["in a grid in a dialog"] = function(f)
      return view.column { view.dialog { modal = true, view.grid { columns = 2, table.unpack(f) } } }
    end,
    ["in a row"] = function(f)
      for _, field in ipairs(f) do field.width = 6 end
      return view.row(f)
    end,
    ["in a grid that is too wide"] = function(f)
      local columns = {}
      for i = 1, 15 do columns[i] = 6 end
      return view.grid { columns = columns, table.unpack(f) }
    end,
  } do
    it("is in sight " .. name, function()
      local fields = {}
      for i = 1, 30 do fields[i] = view.field { text = "<" .. i .. ">" } end
      ui.mount(make(fields), "30x8")
      for _ = 1, 31 do
        ui.press "Tab"
        local shown = ui.snapshot()
        for _, field in ipairs(fields) do
          if field.focused then assert.is_truthy(shown:find(field.text, 1, true), field.text) end
        end
      end
    end)
  end
end)
