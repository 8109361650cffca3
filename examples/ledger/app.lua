-- A book of expenses: entries with a form, figures by month and category, import, undo, settings.
--
--   tidelock run app.lua                                   the book is kept with the settings
--   tidelock run app.lua --allow store=DIR -- DIR/book.db  in a database
--
-- Save this file while it runs, and see.

require "words"
local book, calendar = require "book", require "calendar"
local report = require "report"

local categories = { "Food", "Home", "Transport", "Health", "Fun", "Other" }

-- Settings that a file keeps. A model makes them known to bindings.
local settings = controller.settings { initialValues = {
  currency = "€", start = 1, theme = "default", locale = "en",
} }
local prefs = model "prefs" { values = settings.values }
bind "prefs.values.theme -> app.theme"
bind "prefs.values.locale -> app.locale"

-- What stands in the form, apart from the entry until it is saved. What a person has typed and that
-- is no date or number stays in its field, with the message.
local draft = model "draft" {
  -- The entry that is changed; nil for a new one.
  entry = property {},
  date = property { default = calendar.today(), required = "Enter a date" },
  category = categories[1],
  amount = property { type = "integer", nullable = true,
    required = "Enter an amount, such as 12.50", invalid = "Enter an amount, such as 12.50" },
  note = "",
}

local chosen = model "chosen" {
  tab = 1, search = "", message = "",
  -- The dialog of what is imported.
  isImporting = false, path = "", csv = "", problem = "",
}

local entries = controller.list { name = "entries", content = "book.entries", sort = "-date",
  clearsFilterOnInsertion = false,
  filter = function(entry)
    local text = (entry.date .. " " .. entry.category .. " " .. entry.note):lower()
    return text:find(chosen.search:lower(), 1, true) ~= nil
  end,
}

local figures = model "figures" {
  months = computed(function()
    return report.byMonth(models.book.entries, prefs.values.start)
  end),
  categories = computed(function() return report.byCategory(entries.arrangedObjects) end),
  total = computed(function() return report.total(entries.arrangedObjects) end),
}

-- Hundredths to units, and back to the nearest hundredth. `number` knows the language's signs.
transformer "hundredths" {
  transform = function(amount) return amount and amount / 100 end,
  reverse = function(amount) return amount and math.floor(amount * 100 + 0.5) end,
}

-- It follows the settings, as a transformer follows all that it reads.
transformer("currency", function(text) return text and text .. " " .. prefs.values.currency end)

transformer "noon" {
  transform = function(day) return day and calendar.seconds(day) end,
  reverse = function(seconds) return seconds and os.date("!%Y-%m-%d", seconds) end,
}

local money = " | hundredths | number(2, grouped) | currency"

-- What the keys do --------------------------------------------------------------------------------

local function begin(entry)
  views.entry:reset()
  draft.entry = entry
  draft.date = entry and entry.date or calendar.today()
  draft.category = entry and entry.category or categories[1]
  draft.amount = entry and entry.amount
  draft.note = entry and entry.note or ""
  chosen.tab, chosen.message = 1, ""
  views.amount:focus()
end

-- The form sends its event when all is right in it.
local function save()
  local fields = { date = draft.date, category = draft.category, amount = draft.amount,
    note = draft.note }
  if draft.entry then
    book.change(draft.entry, fields)
  else
    local entry = book.Entry(fields)
    book.add(entry)
    entries.selectedObject = entry
  end
  begin(nil)
  views.entries:focus()
end

-- To ask waits, as a handler may.
local function remove()
  local entry = entries.selectedObject
  local cancel, answer = translate "Cancel", translate "Remove"
  if entry and ask { title = answer, text = translate "Remove this entry?",
    buttons = { cancel, answer }, default = cancel } == answer then
    book.remove(entry)
  end
end

local function tell(name, title)
  chosen.message = title and translate(name) .. ": " .. translate(title) or ""
end

local function takeBack()
  tell("Undo", book.history.undoTitle)
  book.history:undo()
end

local function doAgain()
  tell("Redo", book.history.redoTitle)
  book.history:redo()
end

-- Reading a file waits, as a handler may.
local function readFile()
  local isRead, found = pcall(file.read, chosen.path)
  chosen.problem = isRead and "" or tostring(found)
  if isRead then chosen.csv = found end
end

local function import()
  local count, problem = book.import(chosen.csv)
  chosen.problem = problem or ""
  if not count then return end
  chosen.message = translate("%d entries imported", count)
  chosen.isImporting, chosen.csv = false, ""
end

-- Views -------------------------------------------------------------------------------------------

-- Follows the language.
local function words(text)
  return function() return translate(text) end
end

local function button(text, id, run)
  return view.button { id = id, title = words(text), on = { touchUpInside = run } }
end

local function columns()
  return {
    { title = translate "Date", path = "date | noon | date('!%x')", key = "date", sort = "date",
      width = 12 },
    { title = translate "Category", path = "category | translated", key = "category", width = 11 },
    { title = translate "Amount", path = "amount" .. money, key = "amount", sort = "amount",
      width = 13, align = "end" },
    { title = translate "Note", path = "note", key = "note", minWidth = 8 },
  }
end

local formColumn = view.column { width = 26, spacing = 1,
  view.label { bold = true, text = function()
    return translate(draft.entry and "Change" or "New entry")
  end },
  view.form { id = "entry", spacing = 1, on = { submit = save },
    view.datePicker { id = "date", label = words "Date", utc = true,
      bindTo = { value = "<> draft.date | noon" } },
    view.picker { id = "category", label = words "Category", items = categories,
      bindTo = { selectedObject = "<> draft.category" } },
    view.numberField { id = "amount", label = words "Amount", decimals = 2,
      bindTo = { value = "<> draft.amount | hundredths" } },
    view.field { id = "note", label = words "Note", bindTo = { text = "<> draft.note" } },
    view.row { spacing = 1,
      view.button { id = "save", title = words "Save", role = "submit" },
      button("Cancel", "cancel", function()
        begin(nil)
        views.entries:focus()
      end),
    },
  },
}

local entriesTab = view.row { grow = 1, spacing = 2, padding = { 1, 0, 0, 0 },
  view.table { id = "entries", label = "Entries", grow = 1, columns = columns,
    bindTo = { items = "entries.arrangedObjects", selectedIndex = "<> entries.selectionIndex" },
  },
  formColumn,
}

local function categoryRow()
  return view.cell { view.row { spacing = 1,
    view.label { width = 10, bindTo = { text = "dataObject.category | translated" } },
    view.progress { label = "Share", grow = 1, textColor = "cyan", bindTo = { value = "dataObject.share" } },
    view.label { width = 12, align = "end", bindTo = { text = "dataObject.amount" .. money } },
  } }
end

local reportTab = view.column { spacing = 1, padding = { 1, 0, 0, 0 },
  view.label { bold = true, text = words "By month" },
  view.chart { id = "months", kind = "bar", grow = 1, minimum = 0, scale = true,
    textColor = "cyan",
    values = function()
      local values = {}
      for index, row in ipairs(figures.months) do values[index] = row.amount / 100 end
      return values
    end,
    labels = function()
      local labels = {}
      for index, row in ipairs(figures.months) do labels[index] = row.month end
      return labels
    end },
  view.label { bold = true, text = words "By category" },
  view.list { id = "categories", label = "Categories", grow = 1, cell = categoryRow,
    bindTo = { items = "figures.categories" } },
}

local settingsTab = view.form { spacing = 1, padding = { 1, 0, 0, 0 },
  view.field { id = "currency", label = words "Currency", width = 6, maxLength = 4,
    bindTo = { text = "<> prefs.values.currency" } },
  view.stepper { id = "start", label = words "Months start on day", minimum = 1, maximum = 28,
    bindTo = { value = "<> prefs.values.start" } },
  view.picker { label = words "Theme", items = { "default", "dark", "light" },
    bindTo = { selectedObject = "<> prefs.values.theme" } },
  view.picker { id = "locale", label = words "Language", items = { "en", "de" },
    bindTo = { selectedObject = "<> prefs.values.locale" } },
}

local importing = view.dialog { id = "importing", modal = true, title = words "Import",
  padding = { 1, 2 }, spacing = 1, width = 64,
  hidden = function() return not chosen.isImporting end,
  on = { close = function() chosen.isImporting = false end },
  view.row { spacing = 1,
    view.field { id = "path", grow = 1, placeholder = "DIR/bank.csv",
      bindTo = { text = "<> chosen.path" }, on = { editingDidEndOnExit = readFile } },
    button("Read", "read", readFile),
  },
  view.textArea { id = "csv", height = 8, placeholder = "2026-03-14,Food,12.50,Market",
    bindTo = { text = "<> chosen.csv" } },
  view.label { id = "problem", style = "error", wrap = true, bindTo = { text = "chosen.problem" } },
  view.row { spacing = 1,
    view.spacer {},
    button("Cancel", "cancelImport", function() chosen.isImporting = false end),
    button("Import", "import", import),
  },
}

show(view.window { title = words "Ledger", view.column { id = "main", grow = 1, padding = { 0, 1 },
  view.row { spacing = 2,
    view.label { bold = true, text = words "Ledger" },
    view.label { id = "count", style = "muted", bindTo = {
      text = "entries.arrangedObjects.@count | translated('%d entries')",
    } },
    view.label { id = "message", style = "warning", grow = 1, text = function()
      return models.book.problem ~= "" and models.book.problem or chosen.message
    end },
    view.row { spacing = 2,
      view.label { style = "muted", text = words "Total" },
      view.label { id = "total", bold = true, bindTo = { text = "figures.total" .. money } },
    },
    view.field { id = "search", label = "Search", width = 16,
      bindTo = { text = "<> chosen.search" },
      placeholder = words "search",
      on = { editingDidEndOnExit = function() views.entries:focus() end } },
  },
  view.tabs { id = "tabs", grow = 1, bindTo = { selected = "<> chosen.tab" },
    titles = function()
      return { translate "Entries", translate "Report", translate "Settings" }
    end,
    entriesTab, reportTab, settingsTab },
  view.keyBar { style = "muted" },
  importing,
} })

-- Titles of keys follow the language as well.
effect(function()
  views.main.keys = {
    F2 = { title = translate "New", run = function() begin(nil) end },
    F4 = { title = translate "Import", run = function() chosen.isImporting = true end },
    F7 = { title = translate "Undo", run = takeBack },
    F8 = { title = translate "Redo", run = doAgain },
    -- Those without a title are not in the bar, which is full; `?` shows them.
    ["Ctrl-S"] = function() views.entry:submit() end, ["/"] = function() views.search:focus() end,
  }
  views.entries.keys = {
    Enter = { title = translate "Edit", run = function() begin(entries.selectedObject) end },
    Delete = { title = translate "Remove", run = remove },
  }
end)

views.entries:focus()
book.open(require "sample")
book.keep()
