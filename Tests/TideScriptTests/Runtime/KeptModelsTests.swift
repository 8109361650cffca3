import Testing
import TideBindings
import TideGraph

@testable import TideScript

/// The values of models that go on in another run of the app.
@Suite struct KeptModelsTests {
  private static func runtime(_ script: String, _ models: SharedModels) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.shared = models
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(script, as: Value.self)
    runtime.settle()
    return runtime
  }

  /// Runs an app, does something in it, and gives another run of it the values.
  private func again(
    _ script: String, after act: String, meanwhile: String = ""
  ) throws -> Runtime {
    let models = SharedModels()
    // Someone else, who is there all the time.
    let other = try Self.runtime(script, models)
    let kept = try {
      let runtime = try Self.runtime(script, models)
      try runtime.evaluate(act, as: Value.self)
      runtime.settle()
      for _ in 0..<4 { runtime.turn(timeout: 0) }
      return runtime.keptModels()
    }()
    for _ in 0..<4 { other.turn(timeout: 0) }
    try other.evaluate(meanwhile, as: Value.self)
    for _ in 0..<4 { other.turn(timeout: 0) }
    let runtime = try Self.runtime(script, models)
    runtime.restoreModels(kept)
    for _ in 0..<4 { runtime.turn(timeout: 0) }
    #expect(runtime.bindings.errors.isEmpty, "\(runtime.bindings.errors.map(\.fullMessage))")
    return runtime
  }

  private static let room = """
    Row = class "Row" { title = "", tags = property {} }
    room = shared("room", {
      topic = "none", rows = list { Row { title = "mail" }, Row { title = "web" } } })
    shown = model "shown" {
      search = "", row = property {}, list = property {}, several = list {}, byName = dict {},
    }
    rows = controller.list { name = "rowsShown", content = "room.rows", sort = "title",
      filter = function(row) return row.title:find(shown.search, 1, true) ~= nil end }
    """

  @Test func `a named controller of a shared list goes on following it`() throws {
    let app = try again(Self.room, after: "shown.search = 'web'")
    #expect(try app.evaluate("#rows.arrangedObjects", as: Int.self) == 1)
    try app.evaluate("room.rows:append(Row { title = 'website' })", as: Value.self)
    app.settle()
    #expect(try app.evaluate("#rows.arrangedObjects", as: Int.self) == 2)
    try app.evaluate("shown.search = 'm'", as: Value.self)
    app.settle()
    #expect(try app.evaluate("rows.arrangedObjects[1].title", as: String.self) == "mail")
  }

  @Test func `what others have written in a shared model meanwhile stays`() throws {
    let app = try again(
      Self.room, after: "room.topic = 'mine'",
      meanwhile: "room.topic = 'theirs' room.rows:remove(1)")
    #expect(try app.evaluate("room.topic", as: String.self) == "theirs")
    #expect(try app.evaluate("#room.rows", as: Int.self) == 1)
  }

  @Test func `a property that held a shared row holds that row again`() throws {
    let app = try again(
      Self.room,
      after: """
        shown.row = room.rows[2]
        shown.several:append(room.rows[1]) shown.several:append(room.rows[2])
        shown.byName = dict { web = room.rows[2] }
        shown.list = room.rows
        """, meanwhile: "room.rows[2].title = 'net'")
    #expect(try app.evaluate("shown.row == room.rows[2]", as: Bool.self))
    #expect(try app.evaluate("shown.row.title", as: String.self) == "net")
    #expect(try app.evaluate("shown.several[1] == room.rows[1]", as: Bool.self))
    #expect(try app.evaluate("shown.byName.web == room.rows[2]", as: Bool.self))
    #expect(try app.evaluate("shown.list == room.rows", as: Bool.self))
  }

  @Test func `a shared row that is gone is nil, and left out of lists`() throws {
    let app = try again(
      Self.room,
      after: """
        shown.row = room.rows[2] shown.search = "x"
        shown.several:append(room.rows[2]) shown.several:append(room.rows[1])
        """, meanwhile: "room.rows:remove(2)")
    #expect(try app.evaluate("shown.row == nil", as: Bool.self))
    #expect(try app.evaluate("#shown.several", as: Int.self) == 1)
    #expect(try app.evaluate("shown.several[1] == room.rows[1]", as: Bool.self))
    #expect(try app.evaluate("shown.search", as: String.self) == "x")
  }

  @Test func `what has no identity in a shared model is left out`() throws {
    let app = try again(
      Self.room,
      after: """
        room.rows[1].tags = dict { color = "red" }
        shown.row = room.rows[1].tags shown.list = rows.arrangedObjects
        """)
    #expect(try app.evaluate("shown.row == nil and shown.list == nil", as: Bool.self))
  }

  @Test func `the selection of a named controller is the same rows`() throws {
    let app = try again(
      Self.room, after: "rows.selectedObject = room.rows[2]",
      meanwhile: "room.rows:insert(1, Row { title = 'aaa' })")
    #expect(try app.evaluate("rows.selectedObject.title", as: String.self) == "web")
    #expect(try app.evaluate("rows.selectedObject == room.rows[3]", as: Bool.self))
  }

  @Test func `an object in several places is one object again`() throws {
    let app = try again(
      """
      Row = class "Row" { title = "", other = property {} }
      desk = model "desk" { rows = list {} }
      shown = model "shown" { row = property {}, desk = property {}, rows = property {} }
      """,
      after: """
        desk.rows:append(Row { title = "a" }) desk.rows:append(Row { title = "b" })
        desk.rows[1].other = desk.rows[2] desk.rows[2].other = desk.rows[1]
        shown.row = desk.rows[2] shown.desk = desk shown.rows = desk.rows
        """)
    #expect(try app.evaluate("shown.row == desk.rows[2]", as: Bool.self))
    #expect(try app.evaluate("desk.rows[2].other.other == desk.rows[2]", as: Bool.self))
    #expect(try app.evaluate("desk.rows[1].title .. desk.rows[2].title", as: String.self) == "ab")
    #expect(try app.evaluate("shown.desk == desk and shown.rows == desk.rows", as: Bool.self))
  }

  @Test func `a function within an object is left out, and the rest is kept`() throws {
    let app = try again(
      """
      shown = model "shown" { name = "", act = property {}, both = dict {} }
      """,
      after: """
        shown.name = "ann" shown.act = function() end
        shown.both = dict { text = "x", act = function() end }
        """)
    #expect(try app.evaluate("shown.name", as: String.self) == "ann")
    #expect(try app.evaluate("shown.both.text", as: String.self) == "x")
  }

  @Test func `rows of a shared model that comes later are awaited`() throws {
    let models = SharedModels()
    let first = try Self.runtime(Self.room, models)
    try first.evaluate("shown.row = room.rows[2]", as: Value.self)
    for _ in 0..<4 { first.turn(timeout: 0) }
    let kept = first.keptModels()
    let late = LateEngine(models)
    var configuration = Runtime.Configuration()
    configuration.shared = late
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(Self.room, as: Value.self)
    runtime.restoreModels(kept)
    #expect(try runtime.evaluate("shown.row == nil", as: Bool.self))
    late.open()
    for _ in 0..<8 { runtime.turn(timeout: 0) }
    #expect(try runtime.evaluate("shown.row == room.rows[2]", as: Bool.self))
  }
}

/// Lets nobody join before it is opened.
private final class LateEngine: SharingEngine, @unchecked Sendable {
  private let models: SharedModels
  private var waiting: [(String, SharingMailbox, Channel)] = []

  private final class Channel: SharingChannel, @unchecked Sendable {
    var channel: (any SharingChannel)?
    func send(_ updates: [SharingUpdate]) { channel?.send(updates) }
    func leave() { channel?.leave() }
  }

  init(_ models: SharedModels) { self.models = models }

  var largestUpdate: Int? { nil }
  var isReadOnly: Bool { false }

  func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    let channel = Channel()
    mailbox.put(.connecting, error: nil)
    waiting.append((model, mailbox, channel))
    return channel
  }

  func open() {
    for (model, mailbox, channel) in waiting { channel.channel = models.join(model, mailbox) }
    waiting = []
  }
}
