-- One of each control, and what a person has done with it.
local choice = model "choice" {
  presses = 0, loud = false, checked = true, level = 4, copies = 2, color = "green", size = "medium",
  tab = 1, picked = "nothing", answer = "none", name = "Ada", number = 5, clicks = 0, keys = "",
  born = property { type = "integer", nullable = true, required = "Choose a day" },
  nick = property { default = "", required = "Enter a nick" }, sent = 0, off = false,
}

local function picks(what)
  return function() choice.picked = what end
end

local about
about = view.dialog { id = "about", title = "About", modal = true, hidden = true,
  on = { close = function() about.hidden = true end },
  view.label { text = "It is a dialog." },
  view.field { id = "inner", label = "Inner" },
  view.button { title = "Good", on = { touchUpInside = function() about.hidden = true end } },
}

local controls = view.column { id = "controls", spacing = 1,
  view.row { spacing = 2,
    view.button { id = "press", title = "Press", on = {
      touchUpInside = function() choice.presses = choice.presses + 1 end } },
    view.button { id = "off", title = "Off", enabled = false, on = {
      touchUpInside = function() choice.presses = choice.presses + 100 end } },
    view.checkbox { id = "checked", title = "Checked", bindTo = { isOn = "<> choice.checked" } },
    view.toggle { id = "loud", title = "Loud", bindTo = { isOn = "<> choice.loud" } },
  },
  view.slider { id = "level", label = "Level", maximum = 10, step = 1,
    bindTo = { value = "<> choice.level" } },
  view.stepper { id = "copies", label = "Copies", maximum = 10,
    bindTo = { value = "<> choice.copies" } },
  view.picker { id = "color", label = "Color", items = { "red", "green", "blue" },
    bindTo = { selectedObject = "<> choice.color" } },
  view.radio { id = "size", label = "Size", items = { "small", "medium", "large" },
    bindTo = { selectedObject = "<> choice.size" } },
  view.row { spacing = 2,
    view.button { title = "Ask", on = { touchUpInside = function()
      choice.answer = ask { title = "Question", text = "Really?", buttons = { "No", "Yes" } } or "dismissed"
    end } },
    view.button { title = "About", on = { touchUpInside = function() about.hidden = false end } },
    view.label { id = "target", text = "Right here",
      on = { click = function() choice.clicks = choice.clicks + 1 end },
      contextMenu = {
        { title = "Cut", command = picks "cut" },
        { title = "Not now", enabled = false, command = picks "not now" },
        "-",
        { title = "Copy", key = "Ctrl-K", command = picks "copy" },
      } },
  },
  view.checkbox { id = "isOff", title = "All off", bindTo = { isOn = "<> choice.off" } },
  view.column { bindTo = { enabled = "choice.off | not" },
    view.field { id = "name", label = "Name", bindTo = { text = "<> choice.name" } },
    view.button { id = "below", title = "Below", on = { touchUpInside = picks "below" } },
  },
}

local form = view.form { id = "form", on = { submit = function() choice.sent = choice.sent + 1 end },
  view.field { id = "nick", label = "Nick", bindTo = { text = "<> choice.nick" } },
  view.numberField { id = "number", label = "Number", minimum = 1, maximum = 20, decimals = 0,
    bindTo = { value = "<> choice.number" } },
  view.datePicker { id = "born", label = "Born", utc = true, bindTo = { value = "<> choice.born" } },
  view.button { title = "Send", role = "submit", label = "" },
}

show(view.window { title = "Controls", view.column { id = "all", spacing = 1,
  keys = {
    F2 = { title = "Two", run = function() choice.keys = choice.keys .. "2" end },
    ["Ctrl-B"] = function() choice.keys = choice.keys .. "B" end,
    x = function() choice.keys = choice.keys .. "x" end,
  },
  view.menu { id = "menu", items = {
    { title = "File", items = {
      { title = "New", key = "Alt-N", command = picks "new" },
      { title = "More", items = { { title = "Deep", command = picks "deep" } } },
      "-",
      { title = "Never", enabled = false, command = picks "never" },
    } },
    { title = "Edit", items = { { title = "Paste", command = picks "paste" } } },
  } },
  view.tabs { id = "tabs", bindTo = { selected = "<> choice.tab" },
    titles = { "Controls", "Form", "Empty" }, controls, form, view.label { text = "Nothing here." } },
  view.label { id = "said", text = function()
    return table.concat({ choice.presses, tostring(choice.loud), tostring(choice.checked),
      choice.level, choice.copies, choice.color, choice.size, choice.picked, choice.answer,
      choice.clicks, "[" .. choice.keys .. "]", choice.sent }, " ") end },
  view.keyBar {},
  about,
} })
