-- A library: books, loans and shelves.

local catalogue, dates = require "catalogue", require "dates"
local books, shelves = require "views.books", require "views.shelves"
local setup = require "settings"

local state = model "state" { message = "", reader = "", days = 14, isLending = false }

style.define("overdue", { textColor = "red", bold = true })
style.define("hint", { textColor = "gray", italic = true, disabled = { dim = true } })

local function lend()
  local book = books.controller.selectedObject
  if not book then
    state.message = "Choose a book."
    return
  end
  catalogue.lend(book.id, state.reader, state.days)
  state.message = ("%s until %s"):format(book.title, dates.short(dates.from(state.days)))
  state.isLending = false
end

local function askForBook()
  local title, button = ask.text { title = "New book", text = "Its title", placeholder = "title",
    buttons = { "Add", "Cancel" }, default = "Add" }
  if button == "Add" then catalogue.add(title, "unknown", 2000) end
end

local form = view.form { id = "lendForm", spacing = 1,
  on = { submit = lend },
  hidden = function() return not state.isLending end,
  view.field { id = "reader", label = "Reader", bindTo = { text = "<> state.reader" } },
  view.stepper { label = "Days", minimum = 1, maximum = 28, bindTo = { value = "<> state.days" } },
  view.button { id = "lend", title = "Lend", role = "submit" },
}

bind("catalogueInfo.count.value -> count.text | plural(book, books)")
bind({ "state.message", "state.reader" }, "hint.text", { format = "%s %s" })
bind(setup.prefs, "name", function() return state.message end, { enabled = false })

context("lending", function()
  observe(state, "isLending", function(isLending)
    if isLending then views.reader:focus() end
  end)
end)

on(app, "willQuit", function() setup.save() end)
after(1, function() state.message = "Welcome." end)

return view.window { title = "Library", view.column { id = "root", grow = 1, padding = 1, spacing = 1,
  keys = {
    F2 = { title = "New", run = askForBook },
    F3 = { title = "Lend", run = function() state.isLending = true end },
    F5 = { title = "Shelves", run = shelves.expandAll },
    Escape = function() state.isLending = false end,
    ["Ctrl-R"] = setup.prefs.reset,
  },
  view.row { spacing = 2,
    view.label { style = "heading", text = "Library" },
    view.label { id = "count", grow = 1 },
    view.label { id = "hint", style = "hint" },
  },
  view.split { position = 60, books.table, view.column { books.detail, shelves.view } },
  books.loans,
  form,
  view.keyBar { style = "muted" },
} }
