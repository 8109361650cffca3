import Foundation
import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideLua

@testable import TideScript
@testable import TideViews

/// Runtimes that share their models.
final class SharingGroup {
  private(set) var all: [Runtime] = []
  private let models = SharedModels()

  @discardableResult
  func join(_ script: String) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.shared = models
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(script, as: Value.self)
    all.append(runtime)
    runtime.settle()
    return runtime
  }

  /// Lets all take what the others have written.
  func deliver() {
    for _ in 0..<8 {
      for runtime in all { runtime.turn(timeout: 0) }
    }
  }

  func texts(_ expression: String) throws -> [String] {
    try all.map { try $0.evaluate(expression, as: String.self) }
  }
}

@Suite struct SharedModelTests {
  static let room = """
    room = shared("room", { title = "empty", members = list {} })
    """
  static let members = "table.concat(room.members:totable(), ' ')"

  @Test func `what one writes the others read`() throws {
    let group = SharingGroup()
    try group.join(Self.room)
    try group.join(Self.room)
    try group.all[0].evaluate("room.title = 'full'", as: Value.self)
    group.deliver()
    #expect(try group.texts("room.title") == ["full", "full"])
    #expect(try group.texts("room.sync.state") == ["live", "live"])
  }

  @Test func `who comes later begins with what is there`() throws {
    let group = SharingGroup()
    try group.join(Self.room)
    try group.all[0].evaluate("room.title = 'full' room.members:append('ann')", as: Value.self)
    group.deliver()
    try group.join(
      "room = shared('room', { title = 'other', members = list { 'nobody' }, age = 3 })")
    #expect(try group.texts("room.title") == ["full", "full"])
    #expect(try group.texts(Self.members) == ["ann", "ann"])
    #expect(try group.all[1].evaluate("room.age", as: Int.self) == 3)
  }

  @Test func `who writes over what they have not seen is told`() throws {
    let group = SharingGroup()
    for _ in 0..<2 {
      try group.join(
        Self.room + """
          told = {}
          on(room, "conflict", function(event)
            told[#told + 1] = event.property .. ": " .. event.mine .. " over " .. event.theirs
          end)
          """)
    }
    try group.all[0].evaluate("room.title = 'one'", as: Value.self)
    try group.all[1].evaluate("room.title = 'two'", as: Value.self)
    group.deliver()
    #expect(try group.texts("room.title") == ["two", "two"])
    let told = try group.texts("table.concat(told, ', ')")
    #expect(told == ["", "title: two over one"], "\(told) \(group.all[1].errors.map(\.message))")
    #expect(try group.all[1].evaluate("room.sync.conflicts", as: Int.self) == 1)
  }

  @Test func `rows of a class that comes later are kept until it is there`() throws {
    let group = SharingGroup()
    let script = """
      room = shared("room", { members = list {} })
      Member = class "Member" { name = "" }
      """
    try group.join(script)
    try group.all[0].evaluate("room.members:append(Member { name = 'ann' })", as: Value.self)
    group.deliver()
    try group.join(script)
    group.deliver()
    let counts = try group.texts("tostring(#room.members)")
    #expect(counts == ["1", "1"], "\(group.all.map { $0.errors.map(\.message) })")
    #expect(try group.texts("room.members[1].name") == ["ann", "ann"])
    try group.join("room = shared('room', { members = list {} })")
    group.deliver()
    try group.all[2].evaluate("room.members:append('bob')", as: Value.self)
    group.deliver()
    #expect(try group.all.map { try $0.evaluate("#room.members", as: Int.self) } == [2, 2, 1])
    #expect(try group.all[0].evaluate("room.members[1].name", as: String.self) == "ann")
  }

  @Test func `what cannot be shared stays where it is, and is listed once`() throws {
    let group = SharingGroup()
    for _ in 0..<2 { try group.join(Self.room) }
    try group.all[0].evaluate("room.members:append('ann', function() end)", as: Value.self)
    group.deliver()
    try group.all[1].evaluate("room.members:append('bob') room.title = 'two'", as: Value.self)
    group.deliver()
    #expect(try group.all[0].evaluate("#room.members", as: Int.self) == 3)
    #expect(try group.all[1].evaluate(Self.members, as: String.self) == "ann bob")
    #expect(group.all[0].errors.count { $0.message.contains("stays here alone") } == 1)
    #expect(group.all[1].errors.isEmpty)
  }

  @Test func `properties that come with a new version are shared from then on`() throws {
    let group = SharingGroup()
    for _ in 0..<2 { try group.join(Self.room) }
    let later =
      "room = shared('room', { title = 'empty', members = list {}, notes = list { 'hi' }, age = 1 })"
    try group.all[0].evaluate(later, as: Value.self)
    group.deliver()
    try group.all[0].evaluate("room.notes:append('you') room.age = 2", as: Value.self)
    group.deliver()
    try group.all[1].evaluate(later, as: Value.self)
    group.deliver()
    #expect(
      try group.texts("table.concat(room.notes:totable(), ' ')") == ["hi you", "hi you"])
    #expect(try group.all[1].evaluate("room.age", as: Int.self) == 2)
  }

  @Test func `one that leaves is not missed`() throws {
    let models = SharedModels()
    var configuration = Runtime.Configuration()
    configuration.shared = models
    let first = try Runtime(file: "app.lua", configuration: configuration)
    try first.evaluate(Self.room, as: Value.self)
    do {
      let second = try Runtime(file: "app.lua", configuration: configuration)
      try second.evaluate(Self.room + " room.title = 'left'", as: Value.self)
      second.settle()
      second.end()
    }
    #expect(models.memberCount == 1)
    first.turn(timeout: 0)
    #expect(try first.evaluate("room.title", as: String.self) == "left")
  }

  /// What a script leaves that is loaded as an app's first version.
  private func load(_ script: String, _ models: SharedModels) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.shared = models
    let path =
      "\(FileManager.default.temporaryDirectory.path)/shared-\(UInt64.random(in: 0 ... .max)).lua"
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let runtime = try Runtime(file: path, configuration: configuration)
    try runtime.load()
    return runtime
  }

  @Test func `another default of a new version does not write over what all have`() throws {
    let group = SharingGroup()
    for _ in 0..<2 { try group.join(Self.room) }
    try group.all[0].evaluate("room.title = 'written' room.members:append('ann')", as: Value.self)
    group.deliver()
    try group.all[1].evaluate(
      "told = 0 observe(room, 'title', function() told = told + 1 end) "
        + "room = shared('room', { title = 'another', members = list { 'bob', 'eve' } })",
      as: Value.self)
    group.deliver()
    #expect(try group.texts("room.title") == ["written", "written"])
    #expect(try group.texts(Self.members) == ["ann", "ann"])
    #expect(try group.all[1].evaluate("told", as: Int.self) == 0)
  }

  @Test func `what a validator refuses others cannot bring in`() throws {
    let group = SharingGroup()
    let room = """
      Card = class "Card" { n = property { default = 1, type = "integer" } }
      room = shared("room", { cards = list {} })
      """
    try group.join(room)
    try group.join(
      room.replacing(
        "type = \"integer\"",
        with:
          "type = \"integer\", validate = function(_, n) return n >= 0 and n or nil, 'below 0' end")
    )
    try group.all[0].evaluate("room.cards:append(Card { n = -5 })", as: Value.self)
    group.deliver()
    #expect(try group.texts("tostring(room.cards[1].n)") == ["-5", "1"])
    #expect(group.all[1].errors.contains { $0.message.contains("below 0") })
    // What did not fit is not written over.
    group.deliver()
    #expect(try group.texts("tostring(room.cards[1].n)") == ["-5", "1"])
  }

  @Test func `a flood is taken over in parts, and all of it comes`() throws {
    let group = SharingGroup()
    for _ in 0..<2 { try group.join(Self.room) }
    try group.all[0].evaluate(
      "local all = {} for i = 1, 5000 do all[i] = 'm' .. i end room.members:append(table.unpack(all))",
      as: Value.self)
    group.all[0].turn(timeout: 0)
    group.all[1].turn(timeout: 0)
    // A script that asks has everything done that is due.
    guard case .object(let members as ValueList)? = group.all[1].models["room"]?["members"] else {
      Issue.record("there is no list")
      return
    }
    #expect((1..<5000).contains(members.count), "\(members.count)")
    // Meanwhile people go on.
    try group.all[1].evaluate("room.members:append('late')", as: Value.self)
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end, try group.texts("tostring(#room.members)") != ["5001", "5001"]
    {
      for runtime in group.all { runtime.turn(timeout: 0.005) }
    }
    #expect(try group.texts("tostring(#room.members)") == ["5001", "5001"])
    #expect(try Set(group.texts(Self.members)).count == 1)
  }

  @Test func `what there is no memory for is told of, and nobody loses it`() throws {
    let models = SharedModels()
    var configuration = Runtime.Configuration()
    configuration.shared = models
    let rich = try Runtime(file: "app.lua", configuration: configuration)
    configuration.lua.memory = 3 << 20
    let poor = try Runtime(file: "app.lua", configuration: configuration)
    for runtime in [rich, poor] { try runtime.evaluate(Self.room, as: Value.self) }
    try rich.evaluate(
      "local all = {} for i = 1, 60 do all[i] = ('x'):rep(100000) .. i end "
        + "room.members:append(table.unpack(all))", as: Value.self)
    for _ in 0..<300 {
      rich.turn(timeout: 0)
      poor.turn(timeout: 0)
    }
    #expect(try poor.evaluate("#room.members < 60", as: Bool.self))
    #expect(Set(poor.errors.map(\.code)).isSubset(of: [.sharing, .scriptMemory]))
    _ = try? poor.evaluate("room.title = 'poor'", as: Value.self)
    for _ in 0..<100 {
      rich.turn(timeout: 0)
      poor.turn(timeout: 0)
    }
    #expect(try rich.evaluate("#room.members", as: Int.self) == 60)
  }

  @Test func `models in one process take no more than they may`() throws {
    let models = SharedModels(capacity: 20_000)
    var configuration = Runtime.Configuration()
    configuration.shared = models
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(Self.room + " room.title = ('x'):rep(30000)", as: Value.self)
    for _ in 0..<4 { runtime.turn(timeout: 0) }
    #expect(try runtime.evaluate("room.sync.pending", as: Int.self) == 1)
    #expect(try runtime.evaluate("room.sync.error", as: String.self).contains("20000 bytes"))
  }

  @Test func `names count as values do`() {
    let models = SharedModels(capacity: 20_000)
    let mailbox = SharingMailbox {}
    let long = String(repeating: "k", count: 15_000)
    let room = models.join("room", mailbox)
    for number in 0..<2 {
      let key = SharingKey.row(list: "rows", id: "\(number)\(long)")
      room.send([SharingUpdate(key: key, base: 0, number: number, bytes: [1])])
    }
    #expect(mailbox.take().refusals.map(\.number) == [1])
    room.leave()
    let other = models.join(long, mailbox)
    other.send([SharingUpdate(key: .model, base: 0, number: 7, bytes: [1])])
    #expect(mailbox.take().refusals.map(\.number) == [7])
    // What is gone takes nothing.
    other.leave()
    let third = models.join("third", mailbox)
    third.send([SharingUpdate(key: .model, base: 0, number: 8, bytes: [1])])
    #expect(mailbox.take().refusals.isEmpty)
    third.leave()
    #expect(models.memberCount == 0)
  }

  @Test func `nobody makes a class for each row`() throws {
    let group = SharingGroup()
    for _ in 0..<2 { try group.join(Self.room) }
    try group.all[0].evaluate(
      "local all = {} for i = 1, 1100 do all[i] = { ['p' .. i] = i } end "
        + "room.members:append(table.unpack(all))", as: Value.self)
    for _ in 0..<60 { group.deliver() }
    #expect(try group.all[1].evaluate("#room.members", as: Int.self) == 1000)
    #expect(group.all[1].errors.contains { $0.message.contains("different sets of properties") })
  }

  @Test func `names of properties that hold signs make no other shape`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate(
      "a = object { ['a:integer:false,b'] = 1 } b = object { a = 1, b = 2 }", as: Value.self)
    #expect(try runtime.evaluate("b.a + b.b", as: Int.self) == 3)
  }

  @Test func `a version that cannot begin leaves no values`() throws {
    let models = SharedModels()
    let version = { (name: String) in
      "room = shared('room', { title = '\(name)', members = list { '\(name)' } })"
    }
    #expect(throws: TideError.self) { try load(version("broken") + " error 'no'", models) }
    #expect(models.memberCount == 0)
    let running = try load(version("good"), models)
    #expect(try running.evaluate("room.title", as: String.self) == "good")
    #expect(try running.evaluate(Self.members, as: String.self) == "good")
    // What has run is kept, whoever comes and fails.
    #expect(throws: TideError.self) { try load(version("broken") + " error 'no'", models) }
    #expect(
      try load(version("late"), models).evaluate("room.title", as: String.self) == "good")
  }

  @Test func `without anybody to share with it is a model`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate(Self.room + " room.title = 'alone'", as: Value.self)
    #expect(try runtime.evaluate("models.room.title", as: String.self) == "alone")
  }

  @Test(arguments: 0..<30)
  func `after any writes all have the same`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let group = SharingGroup()
    for _ in 0..<3 { try group.join(Self.room) }
    for step in 0..<60 {
      let runtime = group.all[Int.random(in: 0..<(3), using: &random)]
      let edit =
        switch Int.random(in: 0..<(7), using: &random) {
        case 0, 1: "room.title = 't\(step)'"
        case 2: "room.members:append('m\(step)')"
        case 3: "room.members:insert(1, 'm\(step)')"
        case 4: "if #room.members > 0 then room.members:remove(1) end"
        case 5: "if #room.members > 1 then room.members:move(1, #room.members) end"
        default: "if #room.members > 0 then room.members:replace(#room.members, 'r\(step)') end"
        }
      try runtime.evaluate(edit, as: Value.self)
      runtime.settle()
      if Int.random(in: 0..<(3), using: &random) == 0 {
        group.all[Int.random(in: 0..<(3), using: &random)].turn(timeout: 0)
      }
    }
    group.deliver()
    let titles = try group.texts("room.title")
    let members = try group.texts(Self.members)
    #expect(Set(titles).count == 1)
    #expect(Set(members).count == 1, "\(members)")
  }

  // MARK: Texts

  /// Two runtimes that share a text, which each shows in a field. A key and a button write it, too.
  private func writers(_ options: String = "") throws -> SharingGroup {
    let group = SharingGroup()
    for _ in 0..<2 {
      try group.join(
        """
        room = shared("room", { title = property { default = "two"\(options) } })
        conflicts = 0
        on(room, "conflict", function() conflicts = conflicts + 1 end)
        show(view.column {
          view.field { id = "title", bindTo = { text = "<> room.title" } },
          view.button {
            title = "Rename", on = { touchUpInside = function() room.title = "three" end },
          },
        })
        """)
    }
    return group
  }

  private func type(_ keys: String, _ index: Int, of group: SharingGroup) throws {
    try group.all[index].evaluate("views.title:focus()", as: Value.self)
    try #require(group.all[index].scene).send(keys: keys)
  }

  @Test func `letters that two type into one text are merged`() throws {
    let group = try writers()
    try type("Home J u s t Space", 0, of: group)
    try type("End !", 1, of: group)
    group.deliver()
    #expect(try group.texts("room.title") == ["Just two!", "Just two!"])
    #expect(try group.texts("tostring(conflicts)") == ["0", "0"])
  }

  @Test func `what a handler writes over another's text is a conflict, whoever has pressed`() throws
  {
    let group = try writers()
    try type("Home J u s t Space", 0, of: group)
    try type("End Tab Enter", 1, of: group)
    group.deliver()
    #expect(try group.texts("room.title") == ["three", "three"])
    #expect(try group.texts("tostring(conflicts)") == ["0", "1"])
  }

  @Test func `a merged text that the property refuses is a conflict`() throws {
    let group = try writers(", validate = function(_, text) return #text <= 8 and text or nil end")
    try type("Home J u s t Space", 0, of: group)
    try type("End !", 1, of: group)
    group.deliver()
    #expect(try group.texts("room.title") == ["two!", "two!"])
    #expect(try group.texts("tostring(conflicts)") == ["0", "1"])
  }

  @Test func `only texts are merged`() throws {
    let group = SharingGroup()
    try group.join("")
    for options in ["default = 1, merge = true", "enum = { 'a', 'b' }, merge = true"] {
      let error = #expect(throws: TideError.self) {
        try group.all[0].evaluate("return property { \(options) }", as: Value.self)
      }
      #expect(error?.message.contains("only texts are merged") == true)
    }
  }
}
