import Fuzzing

/// Makes an app of bytes: models, controllers, views of all classes bound to them in many ways, and
/// handlers that count what they are told, so that nothing is told because of a reload.
struct LawWorld {
  private var source: ByteSource
  private var number = 0

  /// Takes as many bytes of a case as the app has parts.
  static func app(_ source: inout ByteSource) -> LawApp {
    var world = LawWorld(source: source)
    let script = world.script()
    source = world.source
    return LawApp(name: "generated", files: ["app.lua": script])
  }

  static let models = """
    local Item = class "Item" { title = "", done = false, n = 0, kids = list {},
      age = property { default = 1, type = "integer", validate = function(_, age)
        if age < 0 then return nil, "Not below zero." end
        return age
      end } }
    local m = model "m" { name = "Ada", n = 3, flag = true, note = "one\\ntwo", pick = "b", sel = 1,
      search = "", sort = "title", tab = 1, open = false, late = "", level = 4,
      age = property { default = 30, type = "integer", validate = function(_, age)
        if age < 0 or age > 130 then return nil, "An age is 0 to 130." end
        return age
      end },
      items = list {
        Item { title = "One", n = 1, kids = list { Item { title = "First" }, Item { title = "Second",
          kids = list { Item { title = "Deep" } } } } },
        Item { title = "Two", n = 2, done = true }, Item { title = "Three", n = 3 },
        Item { title = "Four", n = 4, kids = list { Item { title = "Third" } } },
        Item { title = "Five", n = 5 }, Item { title = "Six", n = 6, done = true },
        Item { title = "Seven", n = 7 }, Item { title = "Eight", n = 8 },
      } }
    local told = model "told" { focus = 0, blur = 0, began = 0, ended = 0, changed = 0, chosen = 0,
      seen = 0, selection = 0, edits = 0, pressed = 0, clicked = 0, asked = 0 }
    local loose = model "loose" { title = "loose", n = 5, kept = "" }
    local rows = list { "a", "b", "c", "d", "e", "f" }
    local fetched = resource(function() return { n = m.n, name = m.name } end, { name = "fetched" })
    local pushed = stream(function(push) push("n " .. m.n, m.name) end, { name = "pushed" })
    local history = undo.manager { m, loose, name = "history" }
    -- A question goes with the version that asks it: the other run ends it by this name.
    local function question(ask)
      return function()
        asking = spawn(function() if ask() then told.asked = told.asked + 1 end end)
      end
    end
    local function tell(what) return function() told[what] = told[what] + 1 end end
    local function typed() return { editingDidBegin = tell "began", editingDidEnd = tell "ended",
      editingChanged = tell "changed", focus = tell "focus", blur = tell "blur" } end
    local d = controller.list { content = m.items }
    local function unnamed(rows)
      bind("arrangedObjects -> items", d, rows)
      bind("selectionIndex <> selectedIndex", d, rows)
      return rows
    end
    observe(m, "n", tell "seen")
    observe(m, "items", tell "edits")
    local db = store.open(arg[1] .. "/law.db")
    db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, title TEXT, n INTEGER)",
      "INSERT INTO entry (title, n) VALUES ('One', 1), ('Two', 2), ('Three', 3)" }
    db:keep(m)
    class "Entry" { id = 0, title = "", n = 0 }
    local entries = db:list("SELECT * FROM entry WHERE n > ? ORDER BY n DESC", { 0 },
      { class = "Entry", writes = true })
    local total = db:value("SELECT sum(n) FROM entry")
    local Card = class "Card" { title = "", n = 0 }
    local room = shared("room", { title = "hall", level = 2, members = list { "ann", "bob" },
      cards = list { Card { title = "Red", n = 1 }, Card { title = "Blue", n = 2 } } })
    observe(room, "title", tell "seen")
    observe(room, "cards", tell "edits")
    -- What is in the file, for the test to compare.
    function stored()
      db:flush()
      local text
      db:transaction(function()
        text = db:value("SELECT group_concat(property || ' ' || coalesce(value, ''), '; ') FROM "
          .. "(SELECT * FROM tide_kept ORDER BY property)").value .. "; "
          .. (db:value("SELECT group_concat(value, '; ') FROM (SELECT * FROM tide_kept_row ORDER BY place)").value
            or "none") .. "; "
          .. db:value("SELECT group_concat(id || title || n, '; ') FROM entry").value
      end)
      return text
    end
    """

  private static let controllers = [
    "local c = controller.list { name = 'c', content = 'm.items', objectClass = Item }",
    "local c = controller.list { name = 'c', content = m.items, objectClass = Item, sort = 'title' }",
    "local c = controller.list { name = 'c', content = 'm.items', objectClass = Item, "
      + "avoidsEmptySelection = false, filter = function(item) "
      + "return item.title:find(m.search, 1, true) ~= nil end }",
    "local c = controller.list { name = 'c', content = 'm.items', objectClass = Item, sort = '-n', "
      + "selectionIndex = 2, clearsFilterOnInsertion = false, filter = function(item) "
      + "return item.title:find(m.search, 1, true) ~= nil end }",
  ]

  /// Views, with `§` for a number of their own.
  private static let views = [
    "view.field { id = 'f§', bindTo = { text = '<> m.name' }, on = typed() }",
    "view.field { bindTo = { text = { path = '<> m.name', continuous = false } }, on = typed() }",
    "view.field { bindTo = { text = { path = '<> m.age', continuous = false } }, on = typed() }",
    "view.field { bindTo = { text = '<> m.age' }, on = typed() }",
    "view.field { bindTo = { text = { path = '<> m.age', continuous = false, "
      + "validatesImmediately = true } } }",
    "view.field { bindTo = { text = '<> m.n | number(1)' } }",
    "view.field { bindTo = { text = { path = '<> m.late', delay = 0.3 } } }",
    "view.field { bindTo = { text = { path = '<> m.late', throttle = 0.4 } } }",
    "view.field { id = 'u§', text = 'own', on = typed() }",
    "view.field { bindTo = { text = 'm.name' } }",
    "view.field { dataObject = loose, bindTo = { text = '<> dataObject.title' } }",
    "view.field { dataObject = loose, bindTo = { text = { path = '<> dataObject.kept', continuous = false } } }",
    "unnamed(view.list { height = 3 })",
    "unnamed(view.table { height = 4, columns = { 'title', 'n' } })",
    "view.field { bindTo = { text = { path = '<> c.selection.title', continuous = false } }, "
      + "on = typed() }",
    "view.field { bindTo = { text = '<> c.selection.title' }, on = typed() }",
    "view.field { bindTo = { text = { path = '<> c.selection.age', continuous = false } } }",
    "view.field { bindTo = { text = '<> c.selection.age' } }",
    "view.field { bindTo = { text = '<> m.search' } }",
    "view.textArea { height = 3, bindTo = { text = '<> m.note' }, on = typed() }",
    "view.textArea { height = 3, text = 'a\\nb\\nc\\nd\\ne\\nf\\ng\\nh' }",
    "view.textArea { height = 3, bindTo = { text = { path = '<> c.selection.title', "
      + "continuous = false } } }",
    "view.toggle { title = 'bound', bindTo = { isOn = '<> m.flag' } }",
    "view.toggle { title = 'own', on = { valueChanged = tell 'chosen' } }",
    "view.checkbox { title = 'own', isOn = true }",
    "view.slider { maximum = 10, step = 1, bindTo = { value = '<> m.level' } }",
    "view.slider { maximum = 10, step = 1, bindTo = { value = { path = '<> m.level', delay = 0.3 } } }",
    "view.slider { maximum = 10, step = 1, value = 4 }",
    "view.stepper { maximum = 10, bindTo = { value = '<> m.level' } }",
    "view.stepper { id = 's§', maximum = 10 }",
    "view.picker { items = { 'a', 'b', 'c' }, bindTo = { selectedObject = '<> m.pick' } }",
    "view.picker { items = { 'a', 'b', 'c' }, selectedIndex = 2 }",
    "view.radio { items = { 'a', 'b', 'c' }, on = { valueChanged = tell 'chosen' } }",
    "view.list { id = 'l§', items = m.items, height = 3, on = { didSelect = tell 'chosen' } }",
    "view.list { items = rows, height = 3 }",
    "view.list { items = rows, selectedIndex = 2, height = 3 }",
    "view.list { height = 4, bindTo = { items = 'c.arrangedObjects', "
      + "selectedIndex = '<> c.selectionIndex' } }",
    "view.list { height = 4, bindTo = { items = 'm.items', selectedIndex = '<> m.sel' } }",
    "view.list { items = m.items, height = 4, rowHeight = 1, cell = function() return view.cell { "
      + "view.field { width = 8, bindTo = { text = '<> dataObject.title' } }, "
      + "view.checkbox { bindTo = { isOn = '<> dataObject.done' } } } end }",
    "view.list { items = m.items, height = 4, rowHeight = 1, cell = function() return view.cell { "
      + "view.field { width = 8, bindTo = { text = { path = '<> dataObject.age', "
      + "continuous = false } } }, view.field { width = 8, text = 'own' } } end }",
    "view.table { height = 5, columns = { { title = 'Title', path = 'title' }, "
      + "{ title = 'N', path = 'n', width = 6 } }, bindTo = { items = 'c.arrangedObjects', "
      + "selectedIndex = '<> c.selectionIndex', sort = '<> m.sort' } }",
    "view.table { height = 5, columns = { { title = 'Title', path = 'title' }, "
      + "{ title = 'N', path = 'n', width = 6 }, { title = 'Done', cell = function() "
      + "return view.checkbox { bindTo = { isOn = '<> dataObject.done' } } end } }, items = m.items, "
      + "sort = '-n' }",
    "view.table { height = 5, columns = { 'title', 'n' }, bindTo = { items = 'c.arrangedObjects' } }",
    "view.tree { items = m.items, childrenPath = 'kids', height = 5, cell = function() "
      + "return view.cell { view.label { bindTo = { text = 'dataObject.title' } } } end }",
    "view.collection { items = m.items, itemWidth = 8, height = 3, cell = function() "
      + "return view.cell { view.label { bindTo = { text = 'dataObject.title' } } } end }",
    "view.scroll { height = 3, focusable = true, view.column { view.label { text = '1' }, "
      + "view.label { text = '2' }, view.label { text = '3' }, view.label { text = '4' }, "
      + "view.field { text = 'five' }, view.label { text = '6' } } }",
    "view.button { title = 'More', on = { touchUpInside = function() m.n = m.n + 1 "
      + "told.pressed = told.pressed + 1 end } }",
    "view.button { title = 'Row', on = { touchUpInside = function() "
      + "m.items:insert(1, Item { title = 'New ' .. #m.items, n = #m.items }) end } }",
    "view.button { title = 'Drop', on = { touchUpInside = function() "
      + "if #m.items > 1 then m.items:remove(2) end end } }",
    "view.button { title = 'Add', on = { touchUpInside = function() c:add { title = 'Added' } end } }",
    "view.button { title = 'Commit', on = { touchUpInside = function() c:commitEditing() end } }",
    "view.button { title = 'Discard', on = { touchUpInside = function() c:discardEditing() end } }",
    "view.button { title = 'Next', on = { touchUpInside = function() c:selectNext() end } }",
    "view.button { title = 'All', on = { touchUpInside = function() c:selectAll() end } }",
    "view.button { title = 'None', on = { touchUpInside = function() c.selectionIndexes = {} end } }",
    "view.button { title = 'Hold', on = { touchUpInside = function() c:beginEditing() end } }",
    "view.button { title = 'Sort', on = { touchUpInside = function() c.sort = 'n' end } }",
    "view.button { title = 'Hide', on = { touchUpInside = function() "
      + "panel.hidden = not panel.hidden end } }",
    "view.button { title = 'Ask', on = { touchUpInside = function() about.hidden = false end } }",
    "view.button { title = 'Open', on = { touchUpInside = function() m.open = true end } }",
    "view.label { text = function() return m.name .. ' ' .. m.n .. ' ' .. told.changed end }",
    "view.label { bindTo = { text = 'c.selection.title' } }",
    "view.label { bindTo = { text = 'c.isEditing' } }",
    "view.label { bindTo = { text = 'fetched.value.name' } }",
    "view.label { text = function() return (fetched.value or {}).n end }",
    "view.list { height = 3, items = pushed }",
    "view.label { bindTo = { text = 'm.items.@sum.n' } }",
    "view.tabs { view.column { id = 'first', view.field { text = 'in a tab' } }, "
      + "view.column { id = 'second', view.toggle { title = 'in another' } } }",
    "view.tabs { bindTo = { selected = '<> m.tab' }, view.label { id = 'x', text = 'x' }, "
      + "view.field { id = 'y', bindTo = { text = '<> m.name' } } }",
    "view.split { height = 3, position = 20, view.field { text = 'left' }, "
      + "view.field { text = 'right' } }",
    "view.menu { items = { { title = 'Menu', items = { { title = 'Click', command = tell 'clicked' }, "
      + "{ title = 'More', items = { { title = 'Deep', command = tell 'clicked' } } } } } } }",
    "view.menu { title = 'Do', items = { { title = 'Click', command = tell 'clicked' }, "
      + "{ title = 'Again', command = tell 'clicked' } } }",
    "view.button { title = 'Undo', on = { touchUpInside = function() history:undo() end } }",
    "view.button { title = 'Redo', on = { touchUpInside = function() history:redo() end } }",
    "view.row { view.button { title = 'Back', bindTo = { enabled = 'history.canUndo' }, "
      + "on = { touchUpInside = function() history:undo() end } }, "
      + "view.label { bindTo = { text = 'history.undoTitle' } } }",
    "view.button { title = 'Grouped', on = { touchUpInside = function() "
      + "undo.group('several', function() m.n = m.n + 1 m.items[1].title = 'G' .. m.n end) end } }",
    "view.button { title = 'Question', on = { touchUpInside = question(function() "
      + "return ask { title = 'Sure', text = 'Really?', buttons = { 'Yes', 'No' } } end) } }",
    "view.button { title = 'Name', on = { touchUpInside = question(function() "
      + "local name = ask.text { text = 'Name?', value = m.name } "
      + "if name then m.name = name end return name end) } }",
    "view.own { title = 'made' }",
    "view.field { bindTo = { text = '<> room.title' }, on = typed() }",
    "view.field { bindTo = { text = { path = '<> room.title', continuous = false } }, on = typed() }",
    "view.slider { maximum = 10, step = 1, bindTo = { value = '<> room.level' } }",
    "view.list { items = room.members, height = 3 }",
    "view.list { items = room.cards, height = 3, rowHeight = 1, on = { didSelect = tell 'chosen' }, "
      + "cell = function() return view.cell { "
      + "view.field { width = 8, bindTo = { text = '<> dataObject.title' } } } end }",
    "view.table { height = 4, columns = { 'title', 'n' }, items = room.cards, sort = '-n' }",
    "view.button { title = 'Card', on = { touchUpInside = function() "
      + "room.cards:insert(1, Card { title = 'New ' .. #room.cards, n = #room.cards }) end } }",
    "view.button { title = 'Leave', on = { touchUpInside = function() "
      + "if #room.members > 0 then room.members:remove(1) end end } }",
    "view.label { bindTo = { text = 'room.cards.@sum.n' } }",
    "view.list { items = entries, height = 4, rowHeight = 1, cell = function() return view.cell { "
      + "view.field { width = 8, bindTo = { text = '<> dataObject.title' } } } end }",
    "view.table { height = 5, columns = { 'title', 'n' }, items = entries }",
    "view.button { title = 'Entry', on = { touchUpInside = function() "
      + "db:run('INSERT INTO entry (title, n) VALUES (?, ?)', { 'New', #entries }) end } }",
    "view.button { title = 'Raise', on = { touchUpInside = function() "
      + "db:run 'UPDATE entry SET n = n + 1' end } }",
    "view.label { bindTo = { text = 'total.value' } }",
    "view.column { function() local made = {} for i = 1, m.n % 5 do "
      + "made[i] = view.field { key = i, text = 'made ' .. i } end return made end }",
  ]

  private static let observations = [
    "observe(c, 'selection', tell 'selection')",
    "observe(c, 'selectionIndex', tell 'selection')",
    "observe(c, 'isEditing', tell 'edits')",
    "effect(function() local _ = m.name .. m.n end)",
    "bind('n -> n', m, loose)",
    "bind('m.name !-> m.late', { delay = 0.5 })",
    "hot.data.count = hot.data.count or 0",
    "view.placeholders('field', { text = { noSelection = 'nobody' } })",
    "view.placeholders('label', { text = { null = '–' } })",
    "transformer('loud', function(text) return text:upper() end)",
    "local o = controller.object { name = 'o', content = m.items[1] }",
    "local t = controller.tree { name = 't', content = m.items, childrenPath = 'kids' }",
    "local s = controller.settings { name = 'law', initialValues = { theme = 'dark' } }",
  ]

  private static let component = """
    view.component('own', { properties = { title = '' }, view = function(self)
      return view.row { view.label { text = function() return self.title end }, view.field {} } end })
    """

  private mutating func script() -> String {
    var parts = [Self.models, source.pick(Self.controllers), Self.component, "local panel, about"]
    for _ in 0..<source.number(below: 4) { parts.append(source.pick(Self.observations)) }
    var shown: [String] = []
    for _ in 0..<1 + source.number(below: 7) { shown.append(view()) }
    let wide = source.number(below: 3) == 0
    parts.append("panel = view.column { view.field { text = 'panel' }, view.label { text = 'p' } }")
    parts.append(
      """
      about = view.dialog { title = 'About', modal = true, hidden = true,
        on = { close = function() about.hidden = true end },
        view.field { text = 'asked' }, view.button { title = 'Good',
          on = { touchUpInside = function() about.hidden = true end } } }
      local sheet = view.dialog { title = 'Sheet', modal = \(source.flag()),
        hidden = function() return not m.open end, on = { close = function() m.open = false end },
        view.field { bindTo = { text = { path = '<> m.name', continuous = false } } },
        view.button { title = 'Close', on = { touchUpInside = function() m.open = false end } } }
      """)
    let start = source.flag() ? "" : " keys = { F2 = function() m.n = m.n + 1 end },"
    parts.append(
      "return view.\(wide ? "grid" : "column") {\(start)\(wide ? " columns = { 38, '*' }," : "")\n  "
        + shown.joined(separator: ",\n  ") + ",\n  panel, about, sheet,\n}")
    return parts.joined(separator: "\n")
  }

  private mutating func view() -> String {
    number += 1
    return source.pick(Self.views).replacing("§", with: "\(number)")
  }
}
