local calendar, csv, report = require "calendar", require "csv", require "report"

describe("days", function()
  it("are read where they are days", function()
    assert.equal("2026-03-04", calendar.day " 2026-3-4 ")
    assert.equal("2024-02-29", calendar.day "2024-02-29")
    assert.is_nil(calendar.day "2026-02-29")
    assert.is_nil(calendar.day "yesterday")
  end)

  it("count for the month that began last", function()
    assert.equal("2026-03", calendar.month("2026-03-25", 25))
    assert.equal("2026-02", calendar.month("2026-03-24", 25))
    assert.equal("2025-12", calendar.month("2026-01-01", 25))
  end)
end)

describe("comma-separated values", function()
  it("are rows of fields", function()
    assert.same({ { "a", "b c" }, { 'say "hi"', "x\ny", "" } },
      csv.rows('a, b c\r\n"say ""hi""","x\ny",\n\n'))
    assert.same({ { "a", "1,5" } }, csv.rows "a;1,5")
  end)

  it("say where a quote is never closed", function()
    local rows, message = csv.rows 'a\n"b'
    assert.is_nil(rows)
    assert.matches("row 2", message)
  end)
end)

describe("sums", function()
  local entries = {
    { date = "2026-01-31", category = "Food", amount = 100 },
    { date = "2026-02-01", category = "Home", amount = 300 },
    { date = "2026-02-02", category = "Food", amount = 100 },
  }

  it("are made by month and by category", function()
    assert.same({ { month = "2026-01", amount = 100 }, { month = "2026-02", amount = 400 } },
      report.byMonth(entries, 1))
    assert.same({ { month = "2026-01", amount = 500 } }, report.byMonth(entries, 15))
    assert.same({ { category = "Home", amount = 300, share = 0.6 },
      { category = "Food", amount = 200, share = 0.4 } }, report.byCategory(entries))
  end)
end)

describe("the ledger", function()
  local entries

  before_each(function()
    ui.mount "app.lua"
    entries = models.book.entries
  end)

  after_each(function() assert.no_errors() end)

  local function enter(amount, note)
    ui.press "F2"
    ui.type("amount", amount)
    ui.type("note", note)
    ui.tap "save"
  end

  it("begins with a sample", function()
    assert.equal("14 entries", views.count.text)
    assert.equal("3,181.00 €", views.total.text)
  end)

  it("takes an entry, gives it back and takes it again", function()
    enter("12.5", "Stamps")
    assert.equal(15, #entries)
    assert.equal(1250, entries[15].amount)
    assert.equal("3,193.50 €", views.total.text)
    ui.press "F7"
    assert.equal(14, #entries)
    assert.equal("Undo: New entry", views.message.text)
    ui.press "F8"
    assert.equal("Stamps", entries[15].note)
  end)

  it("takes no entry that is wrong", function()
    enter("much", "")
    assert.equal(14, #entries)
    assert.matches("Enter an amount", views.amount.error)
    assert.is_true(views.amount.focused)
    ui.tap "cancel"
    assert.is_nil(views.amount.error)
    ui.press "F2"
    ui.tap "save"
    assert.matches("Enter an amount", views.amount.error)
    ui.type("date", "x")
    ui.tap "save"
    assert.matches("Enter a date", views.date.error)
    assert.is_true(views.date.focused)
    assert.equal(14, #entries)
  end)

  it("changes an entry, and takes the change back", function()
    ui.focus "entries"
    ui.press "Home Enter"
    assert.equal("12.75", views.amount.text)
    ui.press "Ctrl-A 1 0 Enter"
    assert.equal(1000, entries[14].amount)
    ui.press "F7"
    assert.equal(1275, entries[14].amount)
  end)

  it("removes an entry when that is confirmed", function()
    ui.focus "entries"
    ui.press "Home Delete Escape"
    assert.equal(14, #entries)
    ui.press "Delete Tab Enter"
    assert.equal(13, #entries)
    ui.press "F7"
    assert.equal(14, #entries)
  end)

  it("imports what was pasted, or says what is wrong with it", function()
    ui.press "F4"
    ui.type("csv", "Date,What,Sum\n2026-04-01,Food,1.5,Eggs\n2026-04-32,Food,1\n")
    ui.tap "import"
    assert.equal("row 3 has no date: 2026-04-32, Food, 1", views.problem.text)
    assert.equal(14, #entries)
    ui.focus "csv"
    ui.press "Ctrl-A Backspace"
    ui.type("csv", 'Datum;Kategorie;Betrag\n2026-4-1;Food;"1.234,5"\n')
    ui.tap "import"
    assert.equal("1 entry imported", views.message.text)
    assert.equal(123450, entries[15].amount)
    ui.press "F7"
    assert.equal(14, #entries)
  end)

  it("imports from a file", function()
    file.stub { ["bank.csv"] = "2026-04-01,Food,2,Milk" }
    ui.press "F4"
    ui.type("path", "bank.csv\n")
    clock.advance(1)
    ui.tap "import"
    assert.equal("Milk", entries[15].note)
  end)

  it("speaks another language", function()
    ui.select("tabs", 3)
    ui.select("locale", 2)
    assert.equal("14 Einträge", views.count.text)
    assert.equal("3.181,00 €", views.total.text)
    assert.matches("F2 Neu", ui.snapshot())
  end)

  it("shows what was spent", function()
    ui.select("tabs", 2)
    assert.matches("2026%-02", ui.snapshot())
    assert.matches("Home", ui.snapshot())
    ui.type("search", "ticket")
    assert.equal("147.00 €", views.total.text)
  end)
end)

describe("a book in a database", function()
  before_each(function()
    ui.mount("app.lua", { size = "80x24", arg = { "book.db" } })
  end)

  after_each(function() assert.no_errors() end)

  it("is empty at first, and takes entries", function()
    assert.equal("0 entries", views.count.text)
    ui.press "F2"
    ui.type("amount", "3\n")
    assert.equal(300, models.book.entries[1].amount)
    assert.equal("", views.message.text)
    local db = store.open "book.db"
    db:flush()
    assert.equal(1, db:value("SELECT count(*) FROM tide_kept_row").value)
  end)

  it("takes changes back as well", function()
    ui.press "F2"
    ui.type("amount", "3\n")
    ui.press "F7"
    assert.equal(0, #models.book.entries)
    ui.press "F8"
    assert.equal(1, #models.book.entries)
  end)
end)
