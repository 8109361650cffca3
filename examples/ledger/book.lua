-- The book: entries, how they are changed, where they are kept.

local calendar, csv = require "calendar", require "csv"

local Entry = class "Entry" {
  date = "", category = "", note = "",
  -- In hundredths, so that sums are exact.
  amount = property { default = 0, type = "integer" },
}

local book = model "book" { entries = list {}, problem = "" }

-- What people change in the book can be undone, over reloads as well.
local module = { Entry = Entry, history = undo.manager { book, name = "history" } }

-- Changes, each of which is one step ----------------------------------------------------------------

function module.add(entry)
  undo.group("New entry", function() book.entries:append(entry) end)
end

function module.remove(entry)
  undo.group("Remove", function() book.entries:removeObject(entry) end)
end

function module.change(entry, fields)
  undo.group("Change", function()
    for name, value in pairs(fields) do entry[name] = value end
  end)
end

-- The entries of a text of rows with date, category, amount and note; nil and a message where one
-- is wrong.
local function read(text)
  local rows, problem = csv.rows(text)
  if not rows then return nil, problem end
  local entries = {}
  for number, row in ipairs(rows) do
    local date, amount = calendar.day(row[1] or ""), module.amount(row[3] or "")
    if date and amount then
      entries[#entries + 1] =
        Entry { date = date, category = row[2], amount = amount, note = row[4] or "" }
    elseif number > 1 then
      -- The first row may be a heading.
      return nil, ("row %d has no %s: %s"):format(
        number, date and "amount" or "date", table.concat(row, ", "))
    end
  end
  if #entries == 0 then return nil, "there is no row with a date, a category and an amount" end
  return entries
end

--- Adds all of them or none. Gives how many there are, or nil and what is wrong with which row.
function module.import(text)
  local entries, problem = read(text)
  if not entries then return nil, problem end
  undo.group("Import", function() book.entries:append(table.unpack(entries)) end)
  return #entries
end

--- Hundredths of what banks write: "-12.50", "1,234.50", "1.234,50".
function module.amount(text)
  local whole, part = text:match "^(.-)[.,](%d%d?)$"
  local digits = (whole or text):gsub("[.,' ]", "")
  if not digits:match "^[+-]?%d+$" then return nil end
  part = part and (part .. "0"):sub(1, 2) or "00"
  return math.tointeger(tonumber(digits .. part))
end

-- Keeping it --------------------------------------------------------------------------------------

-- A database where one is given and allowed: `--allow store=DIR -- DIR/book.db`. Else the settings, which
-- `tidelock run` keeps for each app.
local path = arg[1]
local kept = controller.settings { name = "book", initialValues = { text = "" } }
local canKeep = true

local function text()
  local entries = {}
  for index, entry in ipairs(book.entries) do
    entries[index] = { date = entry.date, category = entry.category, amount = entry.amount,
      note = entry.note }
  end
  return json.encode({ entries = entries }, { indent = 2, sort = true })
end

local function decode(text)
  local entries = {}
  for index, fields in ipairs(json.decode(text).entries) do entries[index] = Entry(fields) end
  return entries
end

-- Each entry is a row of its own, so that a change writes what has changed, all of a turn together. A
-- program that is killed leaves the book whole.
local function openDatabase()
  local db = store.open(path)
  db:keep(book.entries, "entries")
  effect(function() book.problem = db.error or "" end)
end

local function openSettings(sample)
  -- Over a reload it is the model that has it.
  if #book.entries > 0 then return end
  book.entries = kept.values.text == "" and read(sample) or decode(kept.values.text)
end

--- Reads the book, which begins with a sample where it is kept with the settings.
function module.open(sample)
  local isRead, problem = pcall(path and openDatabase or openSettings, sample)
  -- What cannot be read is not written over.
  if isRead then return end
  book.problem, canKeep = tostring(problem):gsub("^.-:%d+: ", "", 1), false
end

--- Saves whenever something has changed. A database does so by itself.
function module.keep()
  if path or not canKeep then return end
  local current = object { text = computed(text) }
  observe(current, "text", function(now) kept.values.text = now end)
end

return module
