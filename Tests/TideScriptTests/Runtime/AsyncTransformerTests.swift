import OwnThread
import Testing
import TideBindings
import TideGraph
import TideScript

@Suite struct `Asynchronous transformers in Swift` {
  final class Label: DataObject {
    @Property var text = ""
  }

  /// A runtime whose transformer "slow" gives capitals when the gate of the text is opened.
  private static func makeRuntime(_ gates: Gates) throws -> Runtime {
    let runtime = try Runtime(file: "test.lua")
    try runtime.register(
      "slow",
      Transformer { (text: String) async throws -> String in
        await gates.wait(text)
        if text == "bad" { throw TideError(.conversion, "no good") }
        return text.uppercased()
      })
    return runtime
  }

  /// Turns the loop until the condition holds; what it waits for arrives through the inbox.
  private static func turn(_ runtime: Runtime, until condition: () -> Bool) {
    while !condition() { runtime.turn() }
  }

  @Test func `deliver initial and later values`() async throws {
    let gates = Gates()
    try await onOwnThread {
      let runtime = try Self.makeRuntime(gates)
      let from = Label(), to = Label()
      from.text = "fig"
      let context = BindingContext()
      try context.bind("text -> text | slow | suffix('!')", from, to)
      #expect(to.text == "")
      gates.open("fig")
      Self.turn(runtime) { to.text != "" }
      #expect(to.text == "FIG!")
      from.text = "pear"
      #expect(to.text == "FIG!")
      gates.open("pear")
      Self.turn(runtime) { to.text != "FIG!" }
      #expect(to.text == "PEAR!")
      context.removeAll()
    }
  }

  @Test func `are cancelled by a newer value, whose result alone is written`() async throws {
    let gates = Gates()
    try await onOwnThread {
      let runtime = try Self.makeRuntime(gates)
      let from = Label(), to = Label()
      from.text = "first"
      let context = BindingContext()
      var seen: [String] = []
      context.observe(to.$text) { new, _ in seen.append(new) }
      try context.bind("text -> text | slow", from, to)
      from.text = "second"
      from.text = "third"
      for name in ["third", "second", "first"] { gates.open(name) }
      Self.turn(runtime) { to.text != "" }
      for _ in 0..<20 { runtime.turn(timeout: 0.001) }
      #expect(seen == ["THIRD"])
      context.removeAll()
    }
  }

  @Test func `list what they throw until the next good value`() async throws {
    let gates = Gates()
    try await onOwnThread {
      let runtime = try Self.makeRuntime(gates)
      let from = Label(), to = Label()
      from.text = "bad"
      to.text = "kept"
      let context = BindingContext()
      let binding = try context.bind("text -> text | slow", from, to)
      gates.open("bad")
      Self.turn(runtime) { binding.error != nil }
      #expect(binding.error?.message == "no good")
      #expect(to.text == "kept")
      from.text = "good"
      gates.open("good")
      Self.turn(runtime) { to.text == "GOOD" }
      #expect(binding.error == nil)
      context.removeAll()
    }
  }

  @Test func `are refused in a two-way binding when it is made`() throws {
    let runtime = try Self.makeRuntime(Gates())
    let from = Label(), to = Label()
    let context = BindingContext()
    let error = #expect(throws: TideError.self) {
      try context.bind("text <> text | trim | slow", from, to)
    }
    #expect(error?.code == .async)
    #expect(error?.message.contains("\"slow\" takes its time") == true)
    #expect(context.count == 0)
    let reversed = #expect(throws: TideError.self) {
      try context.bind("text <- text | slow", from, to)
    }
    #expect(reversed?.code == .irreversible)
    withExtendedLifetime(runtime) {}
  }

  @Test func `end with their binding`() async throws {
    let gates = Gates()
    try await onOwnThread {
      let runtime = try Self.makeRuntime(gates)
      let from = Label(), to = Label()
      from.text = "fig"
      let context = BindingContext()
      let binding = try context.bind("text -> text | slow", from, to)
      binding.unbind()
      gates.open("fig")
      for _ in 0..<20 { runtime.turn(timeout: 0.001) }
      #expect(to.text == "")
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
