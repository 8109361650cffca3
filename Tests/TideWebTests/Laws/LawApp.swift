import Fuzzing

/// The app that the law of equal trees is tried with: one of most classes of views, in versions
/// that differ in what people save.
struct LawApp {
  /// What is different in this version, as bits.
  var choices = 0
  /// How many times a comment was changed.
  var comments = 0
  var fault: String?

  /// Faults of a version that is saved by mistake.
  static let faults = [
    "show((", "error 'broken'", "show(view.label { text = nothing.at.all })",
    "bind('n -> m', {}, {})",
  ]
  static let bits = 12

  private func has(_ bit: Int) -> Bool { choices & 1 << bit != 0 }

  var script: String {
    """
    -- comment \(comments)
    state = model "state" { name = "", loud = "", note = "", later = "", on = false, level = 3,
      copies = 2, color = "green", size = "medium", tab = 1, presses = 0, off = false, gone = false,
      number = 1, wrong = false, bare = false\(has(0) ? ", more = 'more'" : "") }
    fruits = fruits or list {}
    Fruit = class "Fruit" { name = "", ripe = false }
    basket = model "basket" { fruits = list {}, folders = list {}, isFilled = false }
    Folder = class "Folder" { name = "", children = list {} }
    if not basket.isFilled then
      basket.isFilled = true
      for number = 1, 6 do basket.fruits:append(Fruit { name = "fruit " .. number }) end
      basket.folders:append(Folder { name = "src", children = list {
        Folder { name = "lib", children = list { Folder { name = "main" } } } } })
      basket.folders:append(Folder { name = "readme" })
    end
    local dialog
    dialog = view.dialog { id = "dialog", title = "About", modal = \(has(1)), hidden = true,
      on = { close = function() dialog.hidden = true end },
      view.field { id = "inner", label = "Inner" },
      view.button { id = "good", title = "Good", on = {
        touchUpInside = function() dialog.hidden = true end } } }
    local function cell()
      return view.cell {
        view.checkbox { title = "ripe", bindTo = { isOn = "<> dataObject.ripe" } },
        view.field { label = "Fruit", width = 16, bindTo = { text = "<> dataObject.name" } },
        view.label { text = \(has(2) ? "'new'" : "'old'") },
        \(has(3) ? "view.label { bindTo = { text = 'dataObject.name' } }," : "")
      }
    end
    local field = view.field { id = "name", label = "Name",
      error = function() return state.wrong and "wrong" or nil end, bindTo = { text = "<> state.name" } }
    local again = \(has(4) ? "view.textArea" : "view.field") { id = "again", label = "Again",
      bindTo = { text = "<> state.name" } }
    show(view.window { title = \(has(5) ? "'One'" : "function() return state.name end"),
      view.column { id = "all",
      keys = { F2 = function() state.presses = state.presses + 1 end
        \(has(6) ? ", F3 = function() state.level = 9 end" : "") },
      view.label { id = "heading", text = "version \(choices)",
        hidden = function() return state.bare end,
        textColor = function() return state.on and "red" or nil end },
      \(has(7) ? "field, again," : "again, field,")
      view.field { id = "loud", label = "Loud", bindTo = { text = "<> state.loud" }, on = {
        editingChanged = function() state.loud = state.loud:upper() end } },
      view.field { id = "short", maxLength = 5, placeholder = "short" },
      view.field { id = "later", bindTo = { text = { path = "<> state.later", continuous = false } } },
      \(has(8) ? "view.field { id = 'extra', label = 'Extra' }," : "")
      view.textArea { id = "note", height = 3, bindTo = { text = "<> state.note" } },
      view.numberField { id = "number", label = "Number", minimum = 1, maximum = 20, decimals = 0,
        bindTo = { value = "<> state.number" } },
      view.column { id = "part", enabled = function() return not state.off end,
        hidden = function() return state.gone end,
        view.button { id = "press", title = function() return "Press " .. state.level end, on = {
          touchUpInside = function() state.presses = state.presses + 1 end } },
        view.button { id = "open", title = "Open", on = {
          touchUpInside = function() dialog.hidden = false end } },
        view.button { id = "ask", title = "Ask", on = { touchUpInside = function()
          state.note = ask { title = "Sure?", buttons = { "No", "Yes" } } or "neither" end } },
        view.toggle { id = "on", title = "On", bindTo = { isOn = "<> state.on" } },
        view.slider { id = "level", maximum = 10, step = 1, bindTo = { value = "<> state.level" } },
        view.stepper { id = "copies", maximum = 10, bindTo = { value = "<> state.copies" } },
        view.picker { id = "color", items = { "red", "green"\(has(9) ? ", 'blue'" : "") },
          bindTo = { selectedObject = "<> state.color" } },
        view.radio { id = "size", items = { "small", "medium", "large" },
          bindTo = { selectedObject = "<> state.size" } },
      },
      view.checkbox { id = "off", title = "Off", bindTo = { isOn = "<> state.off" } },
      view.checkbox { id = "gone", title = "Gone", bindTo = { isOn = "<> state.gone" } },
      view.label { id = "menu", text = "menu", on = { click = function() state.level = 1 end },
        contextMenu = { { title = "Cut", command = function() state.name = "cut" end },
          { title = "Off", enabled = false } } },
      view.tabs { id = "tabs", titles = { "List", "Table", "Tree" },
        bindTo = { selected = "<> state.tab" },
        view.list { id = "list", items = basket.fruits, cell = cell, height = 10 },
        view.table { id = "table", items = basket.fruits, height = 8,
          selectionMode = \(has(10) ? "'many'" : "nil"),
          columns = { { title = "Name", path = "name" }, { title = "Ripe", path = "ripe" } } },
        view.tree { id = "tree", items = basket.folders, height = 8, cell = function()
          return view.cell { view.label { bindTo = { text = "dataObject.name" } } } end },
      },
      function()
        local more = {}
        for number = 1, state.presses % 4 do
          more[number] = view.label { \(has(11) ? "key = tostring(number), " : "")
            text = "label " .. number }
        end
        return more
      end,
      view.label { id = "said", text = function()
        return table.concat({ state.name, state.loud, tostring(state.on), state.level, state.copies,
          state.size, state.presses, #basket.fruits }, "|") end },
      dialog,
    } })
    \(fault ?? "")
    """
  }

  /// What scripts change meanwhile.
  static let scripts = [
    "state.name = state.name .. '+'", "state.level = 7", "state.size = 'small'",
    "state.presses = state.presses + 1", "state.on = not state.on", "state.gone = not state.gone",
    "state.off = not state.off", "state.tab = state.tab % 3 + 1", "state.note = 'by the script'",
    "state.number = state.number + 1", "views.name:focus()", "views.list:focus()",
    "state.wrong = not state.wrong", "state.bare = not state.bare",
    "views.dialog.hidden = not views.dialog.hidden",
    "basket.fruits:insert(1, Fruit { name = 'new' })", "basket.fruits:remove(#basket.fruits)",
    "basket.fruits:move(1, #basket.fruits)", "basket.fruits[1].name = basket.fruits[1].name .. '!'",
    "basket.folders[1].children:append(Folder { name = 'more' })",
    "for n = 1, 30 do basket.fruits:append(Fruit { name = 'many ' .. n }) end",
    "basket.fruits:set({ Fruit { name = 'only' } })", "views.table.selectedIndex = 1",
    "app.locale = 'de'",
  ]
}
