-- Every kind of view, on tabs: to look at, to try the keys and the mouse on, and to copy from.

-- What the controls hold. Several views are bound to each property, and so they move together.
local choice = model "choice" {
  name = "Ada", secret = "", note = "A text area\nof several lines, which wraps what is too long.",
  born = property { type = "integer", nullable = true }, copies = 1,
  loud = true, level = 4, color = "green", size = "medium", busy = true, presses = 0,
}

local Fruit = class "Fruit" { name = "", price = 0.0, stock = 0, ripe = false, kinds = list {} }

local shop = model "shop" { said = "", fruits = list {
  Fruit { name = "Apple", price = 0.4, stock = 120, ripe = true,
    kinds = list { Fruit { name = "Boskoop" }, Fruit { name = "Elstar" } } },
  Fruit { name = "Banana", price = 0.25, stock = 64, ripe = true },
  Fruit { name = "Cherry", price = 4.9, stock = 0, kinds = list { Fruit { name = "Morello" } } },
  Fruit { name = "Fig", price = 0.8, stock = 12 },
  Fruit { name = "Mango", price = 1.9, stock = 7, ripe = true },
  Fruit { name = "Pear", price = 0.5, stock = 80, kinds = list { Fruit { name = "Williams" } } },
} }

local temperatures = {
  { title = "day", values = { 12, 14, 13, 17, 21, 20, 18 }, color = "yellow" },
  { title = "night", values = { 6, 7, 5, 9, 11, 12, 8 }, color = "blue" },
}
local days = { "Mo", "Tu", "We", "Th", "Fr", "Sa", "Su" }

local function say(text)
  return function() shop.said = text end
end

-- A component: a view with a name of its own.
view.component("line", { properties = { title = "" },
  view = function(self)
    return view.label { style = "muted", width = 12, text = function() return self.title end }
  end })

local function titled(title, shown)
  shown.label = title
  return view.row { spacing = 1, view.line { title = title }, shown }
end

-- The tabs ----------------------------------------------------------------------------------------

local texts = view.column { padding = 1, spacing = 1,
  titled("label", view.row { spacing = 2,
    view.label { text = "plain" }, view.label { text = "bold", bold = true },
    view.label { text = "italic", italic = true },
    view.label { text = "underlined", underline = true },
    view.label { text = "coloured", textColor = "red" } }),
  titled("wrapped", view.label { grow = 1, wrap = true,
    text = "A label that wraps goes on in the next line when there is no room left in this one." }),
  titled("field", view.field { width = 24, placeholder = "a name", tooltip = "Type a name",
    bindTo = { text = "<> choice.name" } }),
  titled("secret", view.field { width = 24, secure = true, maxLength = 12,
    placeholder = "up to 12 characters", bindTo = { text = "<> choice.secret" } }),
  titled("not now", view.field { width = 24, enabled = false, text = "disabled" }),
  titled("text area", view.textArea { height = 4, grow = 1,
    bindTo = { text = "<> choice.note" } }),
}

local controls = view.column { padding = 1, spacing = 1,
  titled("button", view.row { spacing = 2,
    view.button { id = "press", title = "Press", tooltip = "Enter, Space or a click", on = {
      touchUpInside = function() choice.presses = choice.presses + 1 end } },
    view.button { title = "Not now", enabled = false },
    view.label { text = function() return choice.presses .. " times" end } }),
  titled("switches", view.row { spacing = 3,
    view.toggle { title = "loud", bindTo = { isOn = "<> choice.loud" } },
    view.checkbox { title = "loud too", bindTo = { isOn = "<> choice.loud" } } }),
  titled("slider", view.slider { grow = 1, maximum = 10, step = 1,
    bindTo = { value = "<> choice.level" } }),
  titled("stepper", view.stepper { maximum = 10, bindTo = { value = "<> choice.level" } }),
  titled("progress", view.progress { grow = 1, maximum = 10, bindTo = { value = "choice.level" } }),
  titled("picker", view.picker { items = { "red", "green", "blue" },
    bindTo = { selectedObject = "<> choice.color" } }),
  titled("radio", view.radio { items = { "small", "medium", "large" },
    bindTo = { selectedObject = "<> choice.size" } }),
  titled("spinner", view.row { spacing = 2, view.spinner { bindTo = { isAnimating = "choice.busy" } },
    view.checkbox { title = "busy", bindTo = { isOn = "<> choice.busy" } } }),
}

local function named()
  return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
end

local rows = view.split { position = 22,
  view.column {
    view.box { title = "list", grow = 1,
      view.list { id = "list", label = "List", items = shop.fruits, cell = named } },
    view.box { title = "tree", grow = 1,
      view.tree { id = "tree", label = "Tree", items = shop.fruits, childrenPath = "kinds", cell = named } },
  },
  view.column {
    view.box { title = "table", grow = 1,
      view.table { id = "table", label = "Table", items = shop.fruits, columns = {
        { title = "Fruit", path = "name" },
        { title = "Price", path = "price | format('%.2f')", width = 7, sort = "price",
          align = "end" },
        { title = "Stock", path = "stock", width = 7 },
        { title = "Ripe", width = 6, cell = function()
          return view.checkbox { bindTo = { isOn = "<> dataObject.ripe" } }
        end },
      } } },
    view.box { title = "collection", grow = 1,
      view.collection { id = "collection", label = "Collection", items = shop.fruits, itemWidth = 12, cell = named } },
  },
}

local pictures = view.column { padding = 1, spacing = 1,
  view.row { spacing = 2, grow = 1,
    view.chart { kind = "line", grow = 1, values = temperatures, labels = days },
    view.chart { kind = "bar", grow = 1, values = { 3, 5, 4, 8, 6 }, textColor = "green",
      labels = { "a", "b", "c", "d", "e" } },
  },
  titled("spark", view.chart { kind = "spark", grow = 1, values = { 1, 3, 2, 5, 8, 6, 9, 4, 2, 3 } }),
  view.divider {},
  titled("image", view.image { source = "tide.png", width = 24 }),
}

local layout = view.column { padding = 1, spacing = 1,
  view.row { spacing = 1,
    view.box { title = "row", width = 24, view.row { spacing = 1,
      view.label { text = "left" }, view.spacer {}, view.label { text = "right" } } },
    view.box { title = "column", grow = 1, view.column {
      view.label { text = "start" }, view.label { text = "center", align = "center" },
      view.label { text = "end", align = "end" } } },
    view.box { title = "grid", grow = 1, view.grid { columns = { "auto", "*" }, spacing = 1,
      view.label { text = "a" }, view.label { text = "first" },
      view.label { text = "bc" }, view.label { text = "second" } } },
  },
  view.box { title = "scroll", grow = 1, view.scroll { id = "scroll", label = "Scroll", focusable = true,
    view.column { function()
      local lines = {}
      for number = 1, 30 do lines[number] = view.label { text = "line " .. number } end
      return lines
    end } } },
}

-- The rest ----------------------------------------------------------------------------------------

local form = view.form { padding = 1, spacing = 1,
  on = { submit = function() shop.said = "Sent." end },
  view.field { label = "field", bindTo = { text = "<> choice.name" } },
  view.numberField { id = "copies", label = "numberField", minimum = 1, maximum = 99, decimals = 0,
    bindTo = { value = "<> choice.copies" } },
  view.datePicker { id = "born", label = "datePicker", utc = true, placeholder = "a date",
    bindTo = { value = "<> choice.born" } },
  view.button { title = "Send", role = "submit", label = "" },
}

local about
about = view.dialog { title = "About", modal = true, hidden = true, padding = { 1, 2 }, spacing = 1,
  on = { close = function() about.hidden = true end },
  view.label { text = "One view of every class." },
  view.button { title = "Good", align = "center",
    on = { touchUpInside = function() about.hidden = true end } },
}

local tabs
tabs = view.tabs { id = "tabs", grow = 1, texts, controls, rows, pictures, layout, form,
  titles = { "Text", "Controls", "Rows", "Pictures", "Layout", "Form" } }

local function go(number)
  return function() tabs.selected = number end
end

return view.window { title = "Gallery",
  view.column { keys = { F1 = { title = "Help", run = function() about.hidden = false end } },
    view.menu { id = "menu", items = {
      { title = "Show", items = {
        { title = "Text", key = "Alt-1", command = go(1) },
        { title = "Controls", key = "Alt-2", command = go(2) },
        { title = "Rows", key = "Alt-3", command = go(3) },
        { title = "Pictures", key = "Alt-4", command = go(4) },
        { title = "Layout", key = "Alt-5", command = go(5) },
        { title = "Form", key = "Alt-6", command = go(6) },
      } },
      { title = "Say", items = {
        { title = "Ahoy", command = say "Ahoy!" },
        { title = "More", items = {
          { title = "High water", command = say "High water." },
          { title = "Low water", command = say "Low water." },
        } },
        "-",
        { title = "Nothing", command = say "" },
      } },
      { title = "Help", items = {
        { title = "About", key = "F1", command = function() about.hidden = false end },
      } },
    } },
    tabs,
    view.row { padding = { 0, 1 }, spacing = 2,
      view.label { grow = 1, style = "muted", text = function()
        return shop.said ~= "" and shop.said or "Tab next view   Alt-1 to 6 tabs   F10 menu"
      end },
      view.keyBar { style = "muted" },
    },
    about,
  },
}
