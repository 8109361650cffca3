import OwnThread
import Testing
import TideBindings
import TideGraph
import TideScript

@Suite struct `Asynchronous transformers in Swift` {
  final class Label: DataObject {
    @Property var text = ""
  }

  /// Two labels, and a runtime whose transformer "slow" gives capitals when the gate of the text is
  /// opened.
  private struct App {
    let gates = Gates()
    let runtime: Runtime
    let from = Label(), to = Label()
    let context = BindingContext()

    init(_ text: String = "") throws {
      runtime = try Runtime(file: "test.lua")
      from.text = text
      try runtime.register(
        "slow",
        Transformer { [gates] (text: String) async throws -> String in
          await gates.wait(text)
          if text == "bad" { throw TideError(.conversion, "no good") }
          return text.uppercased()
        })
    }

    @discardableResult func bind(_ expression: String) throws -> Binding {
      try context.bind(expression, from, to)
    }

    /// Turns the loop until the condition holds; what it waits for arrives through the inbox.
    func turn(until condition: () -> Bool) { while !condition() { runtime.turn() } }
  }

  @Test func `deliver initial and later values`() async throws {
    try await onOwnThread {
      let app = try App("fig")
      try app.bind("text -> text | slow | suffix('!')")
      #expect(app.to.text == "")
      app.gates.open("fig")
      app.turn { app.to.text != "" }
      #expect(app.to.text == "FIG!")
      app.from.text = "pear"
      #expect(app.to.text == "FIG!")
      app.gates.open("pear")
      app.turn { app.to.text != "FIG!" }
      #expect(app.to.text == "PEAR!")
      app.context.removeAll()
    }
  }

  @Test func `are cancelled by a newer value, whose result alone is written`() async throws {
    try await onOwnThread {
      let app = try App("first")
      var seen: [String] = []
      app.context.observe(app.to.$text) { new, _ in seen.append(new) }
      try app.bind("text -> text | slow")
      app.from.text = "second"
      app.from.text = "third"
      for name in ["third", "second", "first"] { app.gates.open(name) }
      app.turn { app.to.text != "" }
      for _ in 0..<20 { app.runtime.turn(timeout: 0.001) }
      #expect(seen == ["THIRD"])
      app.context.removeAll()
    }
  }

  @Test func `list what they throw until the next good value`() async throws {
    try await onOwnThread {
      let app = try App("bad")
      app.to.text = "kept"
      let binding = try app.bind("text -> text | slow")
      app.gates.open("bad")
      app.turn { binding.error != nil }
      #expect(binding.error?.message == "no good")
      #expect(app.to.text == "kept")
      app.from.text = "good"
      app.gates.open("good")
      app.turn { app.to.text == "GOOD" }
      #expect(binding.error == nil)
      app.context.removeAll()
    }
  }

  @Test func `are refused in a two-way binding when it is made`() throws {
    let app = try App()
    let error = #expect(throws: TideError.self) {
      try app.bind("text <> text | trim | slow")
    }
    #expect(error?.code == .async)
    #expect(error?.message.contains("\"slow\" takes its time") == true)
    #expect(app.context.count == 0)
    let reversed = #expect(throws: TideError.self) {
      try app.bind("text <- text | slow")
    }
    #expect(reversed?.code == .irreversible)
  }

  @Test func `end with their binding`() async throws {
    try await onOwnThread {
      let app = try App("fig")
      let binding = try app.bind("text -> text | slow")
      binding.unbind()
      app.gates.open("fig")
      for _ in 0..<20 { app.runtime.turn(timeout: 0.001) }
      #expect(app.to.text == "")
    }
  }
}

/// Lets asynchronous functions of a test wait until it opens a gate by its name.
final class Gates: Sendable {
  private struct Gate {
    let stream: AsyncStream<Void>
    let opener: AsyncStream<Void>.Continuation
  }
  private let gates = Guarded<[String: Gate]>([:])
  /// The names that were waited for, and those whose wait was cancelled.
  private let log = Guarded<(reached: [String], cancelled: [String])>(([], []))

  var reached: [String] { log.withLock { $0.reached } }
  var cancelled: [String] { log.withLock { $0.cancelled } }

  /// Returns when the gate is open, or when the task is cancelled.
  func wait(_ name: String) async {
    log.withLock { $0.reached.append(name) }
    for await _ in gate(name).stream { return }
    if Task.isCancelled { log.withLock { $0.cancelled.append(name) } }
  }

  func open(_ name: String) { gate(name).opener.yield() }

  private func gate(_ name: String) -> Gate {
    gates.withLock { gates in
      if let known = gates[name] { return known }
      let (stream, opener) = AsyncStream.makeStream(of: Void.self)
      gates[name] = Gate(stream: stream, opener: opener)
      return Gate(stream: stream, opener: opener)
    }
  }
}
