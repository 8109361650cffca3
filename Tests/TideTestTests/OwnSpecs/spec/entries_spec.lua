-- A refused entry is the person's until they mend or discard it; what others write meanwhile is theirs.
local function desk(make, second)
  local Row = class "Row" {
    name = property { default = "", validate = function(_, v)
      if v:find("!") then return nil, "no bang" end
      return v
    end },
    n = property { default = 1, type = "integer" },
    day = property { default = 0, type = "integer" },
  }
  local rows = list { Row { name = "ant" }, Row { name = "cat" } }
  local people = controller.list { name = "people", content = rows, selectionIndex = 1 }
  model "plain" { selection = rows[1] }
  ui.mount(view.column {
    view.list { id = "l", height = 2, bindTo = {
      items = "people.arrangedObjects", selectedIndex = "<> people.selectionIndex" } },
    make(), second and second(), view.field { id = "z" } })
  return rows, people
end

local function text(class, path)
  return function() return view[class] { id = "f", height = 1, bindTo = { text = path } } end
end

describe("An entry that a record refuses", function()
  for _, class in ipairs { "field", "textArea" } do
    for _, path in ipairs { "people.selection", "plain.selection" } do
      it("undoes nothing that others have written: " .. class .. " of " .. path, function()
        local rows = desk(text(class, "<> " .. path .. ".name"))
        ui.focus "f" ui.press "End x"
        rows[1].name = "bob"
        ui.press "End !"
        assert.equal("bob", rows[1].name)
        assert.equal("bob!", views.f.text)
        ui.press "Backspace y z !"
        assert.equal("bob", rows[1].name)
        assert.equal("bobyz!", views.f.text)
      end)
    end
  end

  it("stays an edit where it is refused at the end of the typing", function()
    local rows, people = desk(text("field", { path = "<> people.selection.name", continuous = false }))
    ui.type("f", "!")
    rows[1].name = "bob"
    ui.press "Tab"
    assert.equal("bob", rows[1].name)
    assert.is_true(people.isEditing)
    assert.is_false(people:commitEditing())
    pcall(ui.select, "l", 2)
    assert.equal(1, people.selectionIndex)
    assert.equal("no bang", views.f.error)
  end)

  for _, path in ipairs { "people.selection", "plain.selection" } do
    for _, case in ipairs {
      { "field", "text", "name", "End !", "bob" }, { "textArea", "text", "name", "End !", "bob" },
      { "field", "text", "n", "End q", 7 }, { "numberField", "value", "n", "End q", 7 },
      { "numberField", "value", "n", "Ctrl-A -", 7 }, { "datePicker", "value", "day", "End q", 86400 },
    } do
      local class, option, property, keys, new = table.unpack(case)
      it(("stays when others write the property: %s, %s, %s.%s"):format(class, keys, path, property),
        function()
          local rows, people = desk(function()
            local options = { id = "f", bindTo = { [option] = "<> " .. path .. "." .. property } }
            if class == "datePicker" then options.utc = true end
            return view[class](options)
          end)
          ui.focus "f" ui.press(keys)
          local typed = views.f.text
          rows[1][property] = new
          assert.equal(typed, views.f.text)
          ui.press "Tab"
          assert.equal(typed, views.f.text)
          assert.equal(new, rows[1][property])
          if path == "people.selection" then assert.is_false(people:commitEditing()) end
          ui.focus "f" ui.press "Escape"
          assert.not_equal(typed, views.f.text)
          assert.is_nil(views.f.error)
          assert.equal(new, rows[1][property])
          assert.is_false(people.isEditing)
        end)
    end
  end

  it("stays when the person types the property in another view", function()
    local rows, people = desk(text("field", "<> people.selection.name"),
      function() return view.textArea { id = "a", bindTo = { text = "<> people.selection.name" } } end)
    ui.type("f", "!") ui.type("a", "x")
    assert.equal("antx", rows[1].name)
    assert.equal("ant!", views.f.text)
    assert.is_true(people.isEditing)
  end)

  for class, option in pairs { field = "text", numberField = "value" } do
    it("is told, and not shown, where another record takes its place: " .. class, function()
      local rows = desk(function()
        return view[class] { id = "f", bindTo = { [option] = "<> plain.selection."
          .. (class == "field" and "name" or "n") } }
      end)
      ui.focus "f" ui.press "End !"
      local typed = views.f.text
      models.plain.selection = rows[2]
      ui.snapshot()
      assert.not_equal(typed, views.f.text)
      assert.equal(1, #errors { editing = true })
    end)
  end

  it("is discarded by Escape in a control without text", function()
    local rows, people = desk(function()
      return view.slider { id = "f", maximum = 100, step = 1, bindTo = { value = {
        path = "<> people.selection.n",
        validate = function(v) if v > 1 then return nil, "too much" end return v end } } }
    end)
    ui.focus "f" ui.press "Right"
    assert.equal(2, views.f.value)
    assert.equal(1, rows[1].n)
    assert.is_true(people.isEditing)
    ui.press "Escape"
    assert.equal(1, views.f.value)
    assert.is_false(people.isEditing)
  end)
end)

describe("A binding in error", function()
  local function broken()
    transformer("read", { transform = function(s)
      if s == "bob" then error("cannot be read") end
      return s:upper()
    end, reverse = string.lower })
    local rows = list { { name = "ann" }, { name = "bob" } }
    local people = controller.list { name = "people", content = rows, selectionIndex = 1 }
    ui.mount(view.column {
      view.field { id = "f", bindTo = { text = "<> people.selection.name | read" } },
      view.picker { id = "p", items = list { "ANN", "EVE" },
        bindTo = { selectedObject = "<> people.selection.name | read" } } })
    return rows, people
  end

  it("carries nothing back: the entry is refused with its error", function()
    local rows, people = broken()
    people.selectionIndex = 2
    ui.focus "f" ui.press "x"
    assert.equal("bob", rows[2].name)
    assert.equal("x", views.f.text)
    assert.is_false(people:commitEditing())
    ui.press "Escape"
    assert.equal("", views.f.text)
    assert.is_true(#errors() > 0)
    ui.focus "p" ui.press "Down Down Enter"
    assert.equal("bob", rows[2].name)
    ui.press "Escape"
    assert.is_false(people.isEditing)
  end)

  it("takes the entry once it is mended", function()
    local rows = broken()
    rows[1].name = "bob"
    ui.focus "f" ui.press "End x"
    assert.equal("bob", rows[1].name)
    rows[1].name = "eve"
    assert.equal("ANNx", views.f.text)
    ui.press "y"
    assert.equal("annxy", rows[1].name)
    assert.equal(0, #errors { editing = true })
  end)
end)
