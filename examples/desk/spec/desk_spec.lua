local csv, days = require "csv", require "days"

describe("days", function()
  it("are days, or none", function()
    assert.equal("2024-02-29", days.of(days.seconds "2024-02-29"))
    assert.is_nil(days.seconds "2026-02-29")
    assert.is_nil(days.seconds "tomorrow")
    assert.is_true(days.today() < days.ahead(1))
  end)
end)

describe("comma-separated values", function()
  local function rows(text)
    local all = {}
    for row, line, bytes in csv.rows(text) do
      all[#all + 1] = ("%d %s"):format(line, table.concat(row, "|"))
      assert.is_true(bytes <= #text)
    end
    return all
  end

  it("are rows of fields, with their lines", function()
    assert.same({ "1 a|b c", '3 say "hi"|x\ny|', "5 last" },
      rows 'a, b c\r\n\n"say ""hi""","x\ny",\nlast')
  end)

  it("may have other separators, and a mark at their beginning", function()
    assert.same({ "1 a|1,5" }, rows "\u{feff}a;1,5")
    assert.same({ "1 a|b" }, rows "a\tb")
  end)
end)

describe("the desk", function()
  local desk

  before_each(function()
    ui.mount "app.lua"
    desk = models.desk
  end)

  after_each(function() assert.no_errors() end)

  local function be(number) ui.select("me", number) end

  local function device(tag)
    for _, each in ipairs(desk.devices) do
      if each.tag == tag then return each end
    end
  end

  local function choose(row) ui.select("devices", row) end

  local function lend(person)
    ui.select("person", person)
    ui.tap "lend"
  end

  local function last() return desk.history[#desk.history].what end

  it("begins with a sample, and shows who looks what there is", function()
    assert.equal("6 of 6", views.count.text)
    choose(3)
    assert.equal("It is here.", views.state.text)
    assert.is_true(views.loan.hidden)
    assert.is_false(views.name.editable)
    ui.press "F2 Delete F4"
    assert.equal(6, #desk.devices)
    assert.is_true(views.import.hidden)
  end)

  it("finds devices by what is known of them, and by who has them", function()
    be(1)
    choose(6)
    lend(3)
    ui.type("search", "camera")
    assert.equal("2 of 6", views.count.text)
    ui.type("search", "\8")
    ui.press "Ctrl-A"
    ui.type("search", "cleo")
    assert.equal("C-002", views.tag.text)
  end)

  it("lends a device, and takes it back", function()
    be(1)
    choose(1)
    lend(2)
    local due = days.ahead(14)
    assert.equal("Bo has it until " .. due .. ".", views.message.text)
    assert.equal("bo", device("A-001").holder)
    assert.same({ device = "1", person = "bo", from = days.today(), due = due, back = "" },
      desk.loans[1])
    assert.is_true(views.loan.hidden)
    assert.equal("lent A-001 to Bo until " .. due, last())
    assert.equal("Ann", desk.history[1].who)
    ui.tap "onlyLent"
    assert.equal("1 of 6", views.count.text)
    ui.tap "back"
    assert.equal(days.today(), desk.loans[1].back)
    assert.equal("took A-001 back from Bo", last())
    assert.equal("0 of 6", views.count.text)
  end)

  it("lends nothing until a day that is over, or to nobody", function()
    be(1)
    ui.tap "lend"
    assert.equal("Say who borrows it.", views.message.text)
    models.lending.due = "2020-01-01"
    lend(2)
    assert.equal("That day is over.", views.message.text)
    assert.equal(0, #desk.loans)
  end)

  it("shows what is late", function()
    be(1)
    choose(1)
    lend(2)
    clock.advance(20 * 86400)
    assert.matches(", and is late", views.state.text)
  end)

  it("lets members borrow for themselves, and bring back what they have", function()
    be(2)
    choose(4)
    assert.is_true(views.person.hidden)
    ui.tap "lend"
    assert.equal("bo", device("B-002").holder)
    assert.is_false(views.back.hidden)
    be(3)
    assert.is_true(views.back.hidden)
    assert.is_false(views.name.editable)
  end)

  it("changes a record when the editing ends, and refuses what is none", function()
    be(1)
    choose(3)
    ui.type("name", " (new)")
    ui.press "Tab"
    assert.equal("Projector (new)", device("B-001").name)
    ui.focus "tag"
    ui.press "Ctrl-A Backspace Tab"
    assert.equal("A device has a tag.", views.tag.error)
    assert.equal("Projector (new)", device("B-001").name)
    ui.focus "tag"
    ui.press "Escape"
    assert.equal("B-001", views.tag.text)
  end)

  it("adds a device, and removes one when that is confirmed", function()
    be(1)
    ui.press "F2"
    assert.is_true(views.name.focused)
    assert.equal("N-007", views.tag.text)
    ui.focus "devices"
    ui.press "Delete"
    assert.matches("Remove N%-007, New device%?", ui.snapshot())
    ui.press "Escape"
    assert.equal(7, #desk.devices)
    ui.press "Delete"
    ui.tap "Remove"
    assert.equal(6, #desk.devices)
    assert.equal("removed N-007, New device", last())
  end)

  it("removes nothing that somebody has", function()
    be(1)
    choose(1)
    lend(2)
    ui.focus "devices"
    ui.press "Delete"
    ui.tap "Remove"
    assert.equal("Bo has it.", views.message.text)
    assert.equal(6, #desk.devices)
    ui.select("tabs", 2)
    ui.select("people", 2)
    ui.focus "people"
    ui.press "Delete"
    ui.tap "Remove"
    assert.equal("Bo has Laptop 14\".", views.message.text)
    assert.equal(3, #desk.people)
  end)

  it("takes steps back and does them again, and notes that", function()
    be(1)
    choose(1)
    lend(2)
    ui.press "F7"
    assert.equal("", device("A-001").holder)
    assert.equal(0, #desk.loans)
    assert.equal("Took back: Lend", views.message.text)
    assert.equal("took back: Lend", last())
    ui.press "F8"
    assert.equal("bo", device("A-001").holder)
    assert.equal("bo", desk.loans[1].person)
  end)

  it("knows its people", function()
    be(1)
    ui.select("tabs", 2)
    ui.tap "addPerson"
    ui.press "Ctrl-A"
    ui.type("personName", "Dora")
    ui.type("mail", "dora")
    ui.press "Tab"
    assert.matches("An address is like", views.mail.error)
    ui.focus "mail"
    ui.press "Escape"
    ui.select("role", 2)
    assert.equal("Dora", desk.people[4].name)
    assert.equal("keeper", desk.people[4].role)
  end)

  describe("imports", function()
    local function import(text)
      ui.press "F4"
      models.importing.text = text
      ui.tap "start"
    end

    local function finish()
      assert.eventually(function() return not models.importing.isRunning end)
    end

    before_each(function() be(1) end)

    it("devices with a heading or without, and changes those that are known", function()
      import "Name;Tag\nLabel printer;D-001\nBig projector;B-001\n;\nNo tag;\n"
      finish()
      assert.equal("1 added, 1 changed, 2 without a tag or a name, the first in line 4",
        views.imported.text)
      assert.equal("Label printer", device("D-001").name)
      assert.equal("Big projector", device("B-001").name)
      ui.tap "closeImport"
      import "D-002,Shredder,Office,Cellar\n"
      finish()
      assert.equal("Cellar", device("D-002").place)
      assert.matches("^imported devices: 1 added", last())
    end)

    local function many(count)
      local lines = {}
      for index = 1, count do lines[index] = ("X-%05d,Device %d"):format(index, index) end
      return table.concat(lines, "\n")
    end

    it("many in turns, with a bar, as one step", function()
      import(many(2000))
      assert.is_true(models.importing.isRunning)
      assert.is_true(views.bar.value > 0 and views.bar.value < 0.5)
      finish()
      assert.equal(1, views.bar.value)
      assert.equal(2006, #desk.devices)
      ui.tap "closeImport"
      ui.press "F7"
      assert.equal("Took back: Import", views.message.text)
      assert.equal(6, #desk.devices)
      ui.press "F8"
      assert.equal(2006, #desk.devices)
    end)

    it("until they are stopped, and what has come can be taken back", function()
      import(many(2000))
      ui.tap "stop"
      finish()
      assert.matches("^Stopped: %d+ added", views.imported.text)
      assert.is_true(#desk.devices > 6 and #desk.devices < 1500)
      ui.tap "closeImport"
      ui.press "F7"
      assert.equal(6, #desk.devices)
    end)

    it("a file at the server", function()
      file.stub { ["devices.csv"] = "D-001,Label printer" }
      ui.press "F4"
      ui.type("path", "devices.csv\n")
      clock.advance(1)
      ui.tap "start"
      finish()
      assert.equal("Label printer", device("D-001").name)
    end)
  end)
end)

-- A session has the name of its person, as behind a proxy that names people.
describe("a desk whose server names people", function()
  before_each(function()
    ui.mount "app.lua"
    ui.select("me", 1)
  end)

  after_each(function() assert.no_errors() end)

  it("knows them by their names, and lets nobody choose", function()
    local ann = ui.session("Ann", "app.lua")
    assert.is_true(ann.value "views.me.hidden")
    assert.equal("Ann", ann.value "views.who.text")
    ann.press "F2"
    assert.equal(7, #models.desk.devices)
    assert.equal("Ann", models.desk.history[1].who)
    local bo = ui.session("Bo", "app.lua")
    assert.has_error(function() bo.select("me", 1) end)
    bo.press "F2"
    assert.equal(7, #models.desk.devices)
    assert.is_false(bo.value "models.me.isKeeper")
  end)

  it("knows them by a login before a name", function()
    models.desk.people[1].login = "a.miller"
    models.desk.people[3].login = "Bo"
    assert.equal("ann", ui.session("a.miller", "app.lua").value "models.me.id")
    assert.equal("", ui.session("Ann", "app.lua").value "models.me.id")
    assert.equal("cleo", ui.session("Bo", "app.lua").value "models.me.id")
  end)

  it("lets others look, and says so", function()
    local eve = ui.session("Eve", "app.lua")
    assert.equal("Eve is none of the people here, and may look.", eve.value "views.message.text")
    eve.press "F2 F4"
    eve.select("devices", 1)
    assert.is_true(eve.value "views.loan.hidden")
    assert.equal(6, #models.desk.devices)
  end)

  it("leaves the choice to people without a name", function()
    assert.is_false(views.me.hidden)
    assert.is_true(views.who.hidden)
    assert.equal("Ann", models.me.name)
  end)
end)

describe("two people at the desk", function()
  local bo

  before_each(function()
    ui.mount "app.lua"
    bo = ui.session("Bo", "app.lua")
    ui.select("me", 1)
  end)

  after_each(function() assert.no_errors() end)

  local function lend(row, person)
    ui.select("devices", row)
    ui.select("person", person)
    ui.tap "lend"
  end

  it("see at once what the other has done", function()
    bo.select("devices", 1)
    lend(1, 3)
    assert.matches("^Cleo has it", bo.value "views.state.text")
    assert.is_true(bo.value "views.loan.hidden")
    bo.select("tabs", 3)
    assert.matches("Ann +lent A%-001 to Cleo", bo.snapshot())
  end)

  it("have a filter, a selection and a name of their own", function()
    bo.type("search", "camera")
    assert.equal("2 of 6", bo.value "views.count.text")
    assert.equal("6 of 6", views.count.text)
    assert.equal("Bo", bo.value "models.me.name")
    assert.equal("Ann", models.me.name)
  end)

  it("take back what they have done themselves", function()
    lend(1, 3)
    bo.select("devices", 2)
    bo.tap "lend"
    ui.press "F7"
    assert.equal("", models.desk.devices[1].holder)
    assert.equal("bo", models.desk.devices[2].holder)
    bo.press "F7"
    assert.equal("", models.desk.devices[2].holder)
  end)

  it("lend a device to nobody who comes late", function()
    ui.select("devices", 1)
    bo.select("devices", 1)
    bo.tap "lend"
    assert.is_true(views.loan.hidden)
    assert.matches("^Bo has it", views.state.text)
  end)

  it("find a device gone that the other removes", function()
    bo.select("devices", 6)
    bo.focus "devices"
    ui.select("devices", 6)
    ui.focus "devices"
    ui.press "Delete"
    ui.tap "Remove"
    assert.equal("5 of 5", bo.value "views.count.text")
  end)

  it("go on with what is there when one leaves", function()
    bo.select("devices", 2)
    bo.tap "lend"
    bo.close()
    assert.equal("bo", models.desk.devices[2].holder)
    local cleo = ui.session("Cleo", "app.lua")
    assert.equal("bo", cleo.value "models.desk.devices[2].holder")
    assert.equal(6, cleo.value "#models.desk.devices")
  end)
end)

describe("a desk in a database", function()
  local kept = { arg = { "desk.db" } }

  after_each(function() assert.no_errors() end)

  it("is there again after a restart, once, and without what was removed", function()
    ui.mount("app.lua", kept)
    ui.select("me", 1)
    ui.select("devices", 2)
    ui.select("person", 2)
    ui.tap "lend"
    ui.select("devices", 1)
    ui.focus "devices"
    ui.press "Delete"
    ui.tap "Remove"
    for _ = 1, 2 do
      ui.mount("app.lua", kept)
      assert.equal(5, #models.desk.devices)
      assert.equal("bo", models.desk.devices[1].holder)
      assert.equal(1, #models.desk.loans)
      assert.equal(2, #models.desk.history)
    end
  end)

  it("is kept once for two people, whoever comes first", function()
    ui.mount("app.lua", kept)
    local bo = ui.session("Bo", "app.lua", kept)
    bo.select("devices", 1)
    bo.tap "lend"
    assert.equal("bo", models.desk.devices[1].holder)
    ui.mount("app.lua", kept)
    assert.equal("bo", models.desk.devices[1].holder)
    assert.equal(6, #models.desk.devices)
  end)

  it("gives each person the filter and the tab that they left", function()
    ui.mount("app.lua", kept)
    ui.type("search", "wrench")
    local bo = ui.session("Bo", "app.lua", kept)
    bo.type("search", "camera")
    bo.select("tabs", 2)
    bo.close()
    local cleo = ui.session("Cleo", "app.lua", kept)
    assert.equal("6 of 6", cleo.value "views.count.text")
    bo = ui.session("Bo", "app.lua", kept)
    assert.equal("2 of 6", bo.value "views.count.text")
    assert.equal(2, bo.value "models.main.tab")
    ui.mount("app.lua", kept)
    assert.equal("1 of 6", views.count.text)
    assert.equal(1, models.main.tab)
  end)

  it("begins with the sample", function()
    ui.mount("app.lua", kept)
    assert.equal(6, #models.desk.devices)
    assert.equal("", models.desk.devices[1].holder)
  end)
end)
