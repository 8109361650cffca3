import TideBindings
import TideScript
import TideStore
import TideTest
import Testing

@testable import TideCheck

/// Mistakes that show only by what the rest of the app does.
@Suite struct `Mistakes that the rest of an app shows` {
  private func messages(_ text: String, path: String = "app.lua") throws -> [String] {
    try ScriptCheck(specs: .tidelock, sql: LiteralSQL()).check(text, path: path)
      .map(\.error.message)
  }

  /// Checks that a text is told about once, at the line that holds a part of it.
  private func expect(_ part: String, in text: String) throws {
    let found = try messages(text)
    #expect(found.count == 1 && found[0].contains(part), "\(text): \(found)")
  }

  // MARK: Objects

  private static let book = """
    local Address = class "Address" { street = "", city = "" }
    local Person = class "Person" {
      name = "", address = property { type = "object" },
      full = computed(function(self) return self.name end),
      init = function(self) if not self.address then self.address = Address {} end end,
      greet = function(self, other) return self.name .. other end,
    }
    local book = model "book" { people = list { Person { name = "Ada" } }, current = property { type = "object" } }
    local function find(name)
      for _, person in ipairs(book.people) do if person.name == name then return person end end
    end
    book.current = find "Ada"
    print(book.current.name, find "Bo")

    """

  @Test(arguments: [
    ("print(book.current.nam)", "\"nam\""), ("book.current.address.cty = 'x'", "\"cty\""),
    ("show(view.field { bindTo = { text = '<> book.current.address.town' } })", "\"town\""),
    ("print(book.current:greeet(book.current.name))", "\"greeet\""),
    ("show(view.label { bindTo = { text = 'book.current.fullName' } })", "\"fullName\""),
  ])
  func `a property that holds objects has what the app gives it`(line: String, part: String) throws
  {
    try expect(part, in: Self.book + line)
  }

  @Test(arguments: [
    "book.current = object { name = 'x', other = 1 }\nprint(book.current.other)",
    "local function set(person) book.current = person end\nprint(set, book.current.unknown)",
    "bind('current <> current', book, models.other)\nmodel 'other' { current = property { type = 'object' } }\n"
      + "print(book.current.unknown)",
  ])
  func `a property that may hold anything is left alone`(line: String) throws {
    let found = try messages(Self.book + line)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `a text is no method of a class`() throws {
    try expect(
      "\"greets\"", in: Self.book + "local word = 'greets'\nbook.people[1]:greets(word)")
  }

  @Test func `a function's parameter has what its callers pass`() throws {
    try expect(
      "\"nam\"",
      in: Self.book + "local function tell(person) print(person.nam) end\ntell(book.people[1])")
  }

  @Test(arguments: [
    ("print(Person.greeet(book.current, 'x'))", "did you mean \"greet\"?"),
    ("print(Person:greet('x'))", "call it on one of its objects"),
  ])
  func `a mistake in what is asked of a class is told`(line: String, part: String) throws {
    try expect(part, in: Self.book + line)
  }

  @Test(arguments: [
    "bind('name -> full', book.people[1], book.people[1])",
    "bind('book.current.name <> book.current.full')",
    "show(view.field { bindTo = { text = '<> book.current.full' } })",
  ])
  func `a binding that writes to a computed property is told`(line: String) throws {
    try expect("full is read only", in: Self.book + line)
  }

  @Test(arguments: [
    "show(view.field { bindTo = { text = 'book.current.full' } })",
    "bind('full -> name', book.people[1], book.people[1])",
  ])
  func `a binding that reads a computed property is not`(line: String) throws {
    let found = try messages(Self.book + line)
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: Rows

  @Test(arguments: [
    "rows:insert(1, { nmae = 'c', age = 3 })", "table.insert(rows, { nmae = 'c', age = 3 })",
    "table.insert(rows, 1, { nmae = 'c', age = 3 })", "rows[#rows + 1] = { nmae = 'c', age = 3 }",
    "rows[1] = { nmae = 'c', age = 3 }", "rows:replace(1, { nmae = 'c', age = 3 })",
    "rows:append(object { nmae = 'c', age = 3 })",
  ])
  func `a field that no other row has is told however the row comes in`(line: String) throws {
    try expect(
      "did you mean \"name\"?",
      in: "local Row = class 'Row' { name = '', age = 0 }\nlocal rows = list {}\n"
        + "rows:append(Row { name = 'a' })\n" + line)
    try expect(
      "did you mean \"name\"?",
      in: "local rows = list { { name = 'a', age = 1 }, { name = 'b', age = 2 } }\n" + line)
    try expect(
      "did you mean \"name\"?",
      in: "local rows = list {}\nrows:append { name = 'a', age = 1 }\n"
        + "rows:append { name = 'b', age = 2 }\n" + line)
  }

  @Test(arguments: [
    "rows[#rows + 1] = { name = 'c', age = 3, note = 'x' }", "rows:append { nmae = 'c' }",
    "rows:append { name = 'b', age = 1 } table.insert(rows, { age = 2, names = 'c' }) "
      + "table.insert(rows, { age = 2, names = 'd' })",
    "rows:append { title = 'c', age = 3 }",
  ])
  func `rows of several kinds are no mistake`(line: String) throws {
    let found = try messages(
      "local rows = list {}\nrows:append { name = 'a', age = 1 }\n" + line)
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: Arguments

  private static let functions = """
    local Item = class "Item" { name = "", size = 0 }
    local function item(name, size) return Item { name = name, size = size } end
    local total = model "total" { n = 0 }
    local function add(more) total.n = total.n + more end
    local function greet(name) if not name then name = "you" end return "hello " .. name end
    local function pick(list, index) return index and list[index] or list end

    """

  @Test(arguments: [
    ("add()", "\"more\""), ("add(item('a', 1).size)\nprint(item(2, 'a'))", "holds string, not 2"),
    ("print(item('a', 'big'))", "holds number, not \"big\""),
  ])
  func `an argument that a function of the app cannot do without is told`(
    line: String, part: String
  ) throws {
    let found = try messages(Self.functions + line + "\nprint(greet, pick)")
    #expect(found.contains { $0.contains(part) }, "\(found)")
  }

  @Test(arguments: [
    "add(1) print(greet(), pick({ 1 }), item())", "add(select(2, 1, 2)) print(greet, pick, item)",
    "pcall(function() add() end) print(greet, pick, item)",
  ])
  func `an argument that it tests may be missing`(line: String) throws {
    let found = try messages(Self.functions + line)
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: Values

  private static let values = """
    local m = model "m" { list = list { 1 }, n = 1, kind = "bar", on = true }
    local C = class "C" { size = property { default = "S", enum = { "S", "M" } } }
    local people = controller.list { objectClass = C, content = list { C {} } }
    view.component("card", { properties = { title = "", count = 0 }, view = function(self)
      return view.label { text = self.title } end })
    print(m.list, m.n, m.kind, m.on, people)

    """

  @Test(arguments: [
    ("print(m.list + 1)", "list is a list"), ("print('x' .. m.list)", "list is a list"),
    ("if m.list > 0 then print(1) end", "list is a list"), ("m.list:insert(m.n)", "insert"),
    ("show(view.list { bindTo = { items = 'm.n' } })", "holds a list"),
    ("people:add { size = 's' }", "one of S, M"),
    ("show(view.card { count = 'three' })", "holds number"),
    ("m.list:observe(function(change) if change.kind == 'insert' then print(1) end end)", "never"),
    ("print(viewer.nam or 'me')", "\"nam\""),
    (
      "ask { buttons = { 'Yes', 'No' }, default = 'Ys' }",
      "\"Ys\" is no button of ask; did you mean \"Yes\"?"
    ),
    ("ask { default = 'Cancel' }", "\"Cancel\""),
    (
      "show(view.picker { items = { 'red', 'gren' }, bindTo = { selectedObject = '<> c.colour' } })\n"
        + "model 'c' { colour = property { default = 'red', enum = { 'red', 'green' } } }",
      "\"green\""
    ),
    ("local function pay(amount) return amounnt or 1 end\nprint(pay(1))", "\"amount\""),
    ("print(rich.color('redd', 'x'))", "redd"), ("print(rich.style('eror', 'x'))", "eror"),
    ("print(ref(m, 'n').valu)", "\"valu\""),
    ("print(resource(function() end, { retry = { count = 2 } }).value)", "retry has no option"),
    ("bind('m.n -> m.kind', { transform = { transfrom = tostring } })", "\"transfrom\""),
    (
      "m.kind = 'bra'\nlocal c = model 'c' { kind = 'lines' }\n"
        + "show(view.chart { bindTo = { kind = 'c.kind' } })\nprint(c)", "begins as \"lines\""
    ),
  ])
  func `a value that does not fit is told`(line: String, part: String) throws {
    try expect(part, in: Self.values + line)
  }

  @Test(arguments: [
    "print(#m.list + 1)", "print(m.list == nil)", "m.list:insert(1, m.n)",
    "show(view.list { bindTo = { items = 'm.list' } })", "people:add { size = 'M' }",
    "show(view.card { count = function() return m.n end })",
    "ask { buttons = { 'Yes', 'No' }, default = 'No' }", "ask.text { default = 'Cancel' }",
    "ask { buttons = { m.kind, 'No' }, default = 'bar' }", "print(ref(m, 'n').value)",
    "show(view.chart { bindTo = { kind = 'm.kind' } })",
    "notification.observe('stopped', print) notification.post('stopped') notification.post('stops')",
    "notification.observe('stopped', print) notification.post('stoped' .. m.kind)",
    "notification.observe('page1', print) notification.post('page2')",
    "notification.observe('item added', print) notification.post('items added')",
  ])
  func `a value that fits is not reported`(line: String) throws {
    let found = try messages(Self.values + line)
    #expect(found.isEmpty, "\(line): \(found)")
  }

  @Test func `a notification that only one side names is told at both`() throws {
    let found = try messages(
      "notification.observe('stopped', print) notification.post('stoped')")
    #expect(found.count == 2, "\(found)")
    #expect(found[0].contains("nothing posts the notification \"stopped\""))
    #expect(found[1].contains("nothing observes the notification \"stoped\""))
  }

  // MARK: Members of unknown values

  private static let folders = """
    local Folder = class "Folder" {
      children = list {},
      total = computed(function(self)
        local sum = 0
        for _, child in ipairs(self.children) do sum = sum + child.total end
        return sum
      end),
    }
    local function read(value) return value end
    print(Folder {})

    """

  @Test(arguments: [
    ("local a = read {}\nprint(a.totl)", "\"total\""),
    ("local a = read {}\nprint(a.chidlren)", "\"children\""),
    ("local a = read {}\nprint(a.selectedindex)", "\"selectedIndex\""),
    ("local a = read {}\nprint(os.date('%H'), os.date(), a.totl)", "\"total\""),
  ])
  func `a member that nothing has and that is nearly another is told`(line: String, part: String)
    throws
  {
    try expect(part, in: Self.folders + line)
  }

  @Test(arguments: [
    "local a = read {}\nprint(a.totals)", "local a = read { totl = 1 }\nprint(a.totl)",
    "local a = read {}\na.totl = 1\nprint(a.totl)", "local a = read {}\nprint(a.totl or 1)",
    "local ok, a = pcall(json.decode, '{}')\nprint(ok, a.totl)",
    "local a = read {}\nprint(pcall(load, 'x'), a.totl)",
    "local get = http.get\nlocal a = read {}\nprint(pcall(get, 'x'), a.totl)",
    "local a = read { yda = 1 }\nprint(os.date('*t').yday, a)",
    "local form = '!*t'\nlocal a = read {}\nprint(os.date(form), a.totl)",
    "local a = json.decode('{}')\nprint(a.totl)",
    "local machine = models.machine\nlocal a = read(machine)\nprint(a.totl)",
    "print(models.machine, view.label { bindTo = { text = 'machine.totl' } })",
    "local a = read {}\nprint(a.totl, 'the totl')",
    "local a = read {}\nif a.totl then print(a.totl) end",
  ])
  func `a member that something may have is left alone`(line: String) throws {
    let found = try messages(Self.folders + line)
    #expect(found.isEmpty, "\(line): \(found)")
  }

  // MARK: Databases

  private static let notes = """
    class "note" { id = 0, title = "", stars = 0 }
    local db = store.open("notes.db")
    db:migrate { "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER)" }
    local notes = db:list("SELECT id, title, stars FROM note", nil, { class = "note", writes = true })
    local selected = controller.list { name = "selected", content = notes }
    print(selected, #notes)

    """

  @Test(arguments: [
    ("db:list('SELECT id FROM note', nil, { class = 'notee' })", "\"note\""),
    ("db:run('DELETE FROM note WHERE id = ?')", "takes 1 parameter, and 0 are given"),
    ("db:run('DELETE FROM note WHERE id = ? AND title = ?', { 1 })", "takes 2 parameters"),
    ("db:run('DELETE FROM note WHERE id = :id', { key = 1 })", "pass id = …"),
    ("db:run('DELETE FROM note WHERE id = ?', { id = 1 })", "has no name"),
    ("db:run('DELETE FROM note WHERE title = :id || @id', { 1 })", "takes 2 parameters, and 1 is"),
    ("db:run('DELETE FROM note WHERE title = :größe', { gr = 1 })", "pass größe = …"),
  ])
  func `a mistake in a statement's parameters is told`(line: String, part: String) throws {
    try expect(part, in: Self.notes + line)
  }

  @Test(arguments: [
    "db:run('DELETE FROM note WHERE id = :id AND title = :id', { id = 1, other = 2 })",
    "db:run('DELETE FROM note WHERE id = :id', { 1 })",
    "db:run('DELETE FROM note WHERE id = ?1 OR stars = ?1', { 1 })",
    "db:run('DELETE FROM note WHERE title = :id || @id', { 1, 2 })",
    "db:run('DELETE FROM note WHERE title = :größe', { ['größe'] = 1 })",
    "db:run(\"DELETE FROM note WHERE title = '?' -- ?\", {})",
    "db:run('DELETE FROM note WHERE id = ? AND title = ?', { unpack { 1, 2 } })",
    "local given = { 1 }\ndb:run('DELETE FROM note WHERE id = ?', given)",
  ])
  func `parameters that a statement takes are not reported`(line: String) throws {
    let found = try messages(Self.notes + "local unpack = table.unpack\nprint(unpack)\n" + line)
    #expect(found.isEmpty, "\(line): \(found)")
  }
}
