import TideBindings
import TideScript
import TideTest
import Testing

@testable import TideCheck

/// Values of a kind that an operator, a loop, an argument or an option cannot take.
@Suite struct `Values of the wrong kind` {
  private func told(_ script: String) throws -> [String] {
    let start = """
      local Trip = class "Trip" { goal = "", seats = 1, isOpen = true,
        visit = function(self, day) print(self.goal, day) end }
      local Tour = class("Tour", Trip) { visit = function(self, day) print(day) end }
      local club = model "club" { title = "Club", trips = list { Trip { goal = "a" }, Tour {} } }
      local trip = Trip { goal = "b" }
      print(club.title, Tour)

      """
    return try ScriptCheck(specs: .tidelock).check(start + script, path: "app.lua")
      .map(\.error.message)
  }

  @Test(arguments: [
    ("print('n ' + trip.seats)", "write .. to join texts"),
    ("print('n ' .. club)", "club is an object, with which \"..\""),
    ("print(club.trips .. 'x')", "club.trips is a list, with which \"..\""),
    ("print(trip.isOpen * 2)", "trip.isOpen is true or false, with which \"*\""),
    ("if trip.goal ~ 'a' then print(1) end", "write ~= to compare"),
    ("print(#trip.seats)", "trip.seats is a number, which has no length"),
    (
      "print(trip.seats > '3')",
      "cannot compare trip.seats, a number, with '3', a text; write tonumber(…)"
    ),
    ("print(trip.seats == '3')", "which are never equal"),
    ("print(trip.goal == 3 or trip.isOpen and 1)", "which are never equal"),
    ("print(trip.isOpen == 'yes')", "which are never equal"),
    ("print(club.title + 1)", "club.title begins as \"Club\", with which \"+\""),
    ("print(-club.trips)", "club.trips is a list, which has no negative"),
    ("print(-club.title)", "begins as \"Club\", which has no negative"),
    ("print({} .. 'x')", "{} is a table, with which \"..\""),
    ("print(club.trips == 0)", "which are never equal"),
    ("print(-club.trips ^ 2)", "club.trips is a list, with which \"^\""),
  ])
  func `an operator with a value that it cannot take is told`(script: String, says: String) throws {
    let found = try told(script)
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    ("for i = 1, club.trips do print(i) end", "write #club.trips"),
    ("for _, t in club.trips do print(t) end", "write ipairs(club.trips)"),
    ("for _, t in { 1, 2 } do print(t) end", "write ipairs({ … })"),
    ("for t in ipairs(club.trips) do print(t.goal) end", "write for _, t in"),
    ("for t in pairs(club.trips) do print(t.goal) end", "pairs gives the index first"),
    ("for t in club.trips do print(t) end", "write for _, t in ipairs(club.trips) do"),
    ("local t = { 1, 2 } for x in t do print(x) end", "write for _, x in ipairs(t) do"),
    ("local t = { a = 1 } for k, x in t do print(k, x) end", "write pairs(t)"),
    ("for k, v in club do print(k, v) end", "write pairs(club)"),
    (
      "for t in club.trips:filter(function(t) return t.seats > 2 and t.isOpen end) do print(t) end",
      "write for _, t in ipairs(…) do"
    ),
    (
      "for i = 1, club.trips:filter(function(t) return t.seats > 2 and t.isOpen end) do print(i) end",
      "this is a list; write # before it, its length"
    ),
  ])
  func `a loop over a value that it cannot count or call is told`(
    script: String, says: String
  ) throws {
    let found = try told(script)
    #expect(found.contains { $0.contains(says) }, "\(found)")
  }

  @Test(arguments: [
    ("math:floor(2)", "write math.floor(…)"), ("string:upper('a')", "write string.upper(…)"),
    ("print(trip.goal.upper())", "write trip.goal:upper(…)"),
    ("print(math.max('a', 2))", "math.max takes a number as x, and 'a' is a text"),
    ("print(('a'):rep('b'))", "string.rep takes a number as n"),
    ("for i, t in ipairs(trip.goal) do print(i, t) end", "ipairs takes a table as t"),
    ("print(trip.goal.first)", "trip.goal is a string, which has no property \"first\""),
    ("print(trip.seats.first)", "trip.seats is a number, which has no property \"first\""),
    ("bind(club, 'title')", "write bind(object, path, function() return … end)"),
    ("print(club.trips[0])", "a list begins with element 1"),
    ("club.trips[0] = trip", "a list begins with element 1"),
    ("print(club.trips['goal'])", "list has no property \"goal\""),
    ("print(club['titel'])", "did you mean \"title\"?"),
    ("club.title()", "club.title is a text, which cannot be called"),
    ("print(club.trips())", "club.trips is a list, which cannot be called"),
    (
      "local k = model 'k' { n = computed(function(self) return #self end) } print(k.n())",
      "k.n is computed when it is read"
    ),
    ("local C = class { a = 1 } print(C)", "write class \"Name\" { … }"),
    ("batch(club.title)", "fn is a function, and club.title is a text"),
    ("for k, v in ipairs { a = 1 } do print(k, v) end", "write pairs"),
    ("for i = 10, 1 do print(i) end", "and never runs; add a step of -1"),
    ("print(setmetatable({}, { __indx = print }))", "did you mean \"__index\"?"),
    ("print(trip[1])", "trip is an object, which has no elements"),
    (
      "local Bus = class('Bus', { seats = 9 }) print(Bus)",
      "the fields follow the name without a comma: class \"Bus\" { … }"
    ),
    (
      "local bus = model('bus', { seats = 9 }) print(bus)",
      "the fields follow the name without a comma: model \"bus\" { … }"
    ),
    ("table.insert(club.trips, trip, 1)", "write table.insert(club.trips, index, trip)"),
    ("table.remove(club.trips, trip)", "write club.trips:removeObject(trip)"),
    ("print(table.remove(club.trips).gaol)", "did you mean \"goal\"?"),
    ("local Late = class('Late', 'Trip') {} print(Late)", "argument 2 of class is a class"),
    ("club.trips[1].visit(2)", "write club.trips[1]:visit(…)"),
    ("local function cut(line) return line:substr(1) end print(cut)", "did you mean \"sub\"?"),
    (
      "strings { de = { ['%d trips'] = { on = '%d Reise', other = '%d Reisen' } } }",
      "a plural has no form \"on\"; did you mean \"one\"?"
    ),
  ])
  func `an argument that cannot be right is told`(script: String, says: String) throws {
    let found = try told(script)
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    ("view.label { 'a' }", "the subviews of label are views or functions, not \"a\""),
    ("view.label { text = { 'a' } }", "label.text holds string, not a table"),
    ("view.label { id = 5, text = 'a' }", "label.id holds string or nil, not 5"),
    ("view.label { text = 'a', padding = -1 }", "label.padding is a number of cells, 0 or more"),
    ("view.label { text = 'a', padding = '1' }", "label.padding is a number of cells, 0 or more"),
    ("view.label('a')", "view.label takes a table of properties, not \"a\""),
    (
      "view.label { bindTo = 'club.title' }",
      "bindTo is a table that maps properties to paths, not \"club.title\""
    ),
    ("view.label { bindTo = { text = club.title } }", "write text = \"club.title\""),
    (
      "view.list { items = club.trips, cell = view.label {} }",
      "list.cell is a function that gives a view"
    ),
    ("view.list { items = 'club.trips' }", "list.items holds list, not \"club.trips\""),
    (
      "view.button { title = 'a', on = function() end }",
      "on is a table that maps events to functions, not a function; write on = {"
    ),
    ("view.button { title = 'a', on = { touchUpInside = 'save' } }", "on maps names of events"),
  ])
  func `an option of a view that it refuses is told`(view: String, says: String) throws {
    let found = try told("return \(view)")
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test func `a list bound to a controller names the controller's rows`() throws {
    let found = try told(
      "controller.list { name = 'rows', content = club.trips } "
        + "return view.list { bindTo = { items = 'rows' } }")
    #expect(
      found.count == 1 && found.first?.contains("bind rows.arrangedObjects") == true, "\(found)")
  }

  @Test(arguments: [
    "print(trip.goal .. trip.seats, -trip.seats, trip.seats .. '', '2' + 1, #club.trips, #trip.goal)",
    "print(trip.isOpen and trip.seats + 1 or 'none', trip.isOpen == true, club.trips == nil)",
    "for i = 1, #club.trips do print(i, club.trips[i].goal) end",
    "for i in ipairs(club.trips) do print(i, club.trips[i]) end",
    "for key in pairs(club) do print(key) end", "for t in club.trips:each() do print(t.goal) end",
    "local t = setmetatable({}, {}) for x in t do print(x) end",
    "local t = { 1 } setmetatable(t, { __call = print }) for x in t do print(x) end",
    "print(trip.seats == 1, trip.goal == 'a', trip.seats > 2, trip.goal < 'b', trip.isOpen == false)",
    "local k = model 'k' { f = computed(function(self) return self.g end), g = property {} } k.f()",
    "for i = 10, 1, -1 do print(i) end", "for k in ipairs { 1, a = 2 } do print(k) end",
    "print(club['title'], club.trips[1], #club.trips == 0, club.trips == nil, club == trip)",
    "local t = setmetatable({}, { __add = print, __own = 1 }) print(t + 1)",
    "print(math.max('1', 2), ('a'):rep('3'), string.upper(5), trip.goal.upper(trip.goal))",
    "print(trip.goal.upper, trip.seats + 1 == 2, 1 + trip.seats > 3)",
    "return view.label { text = 'a', padding = { 1, 2 } }",
    "print(not trip.seats ^ 2, -trip.seats ^ 2, 2 ^ -trip.seats ^ 2)",
    "table.insert(club.trips, 1, trip) table.insert(club.trips, trip) table.remove(club.trips, 1)",
    "view.component('card', { view = function(self, texts) print(texts) return view.row {} end }) "
      + "return view.card { 'a', 1 }",
    "for t in club.trips:each() do print(t) end",
    "club.trips:insert(1, trip) club.trips:remove(1) club.trips:removeObject(trip)",
    "Tour.visit(trip, 1) trip:visit(2)",
    "return view.column { trip.isOpen and view.label { text = 'a', padding = 1 }, function() end }",
    "strings { de = { Save = 'Sichern', ['%d trips'] = { one = '%d Reise', other = '%d Reisen' } } }",
  ])
  func `values of the right kind are no mistakes`(script: String) throws {
    #expect(try told(script) == [])
  }
}
