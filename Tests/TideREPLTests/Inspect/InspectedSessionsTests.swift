import OwnThread
import Testing
import TideBindings
import TideScript
import TideValues

@testable import TideREPL

/// An inspector beside the private sessions of an app, all turned by hand.
@Suite struct InspectedSessionsTests {
  private let sessions = InspectedSessions(name: "fruit")
  private let inspector: InspectorApp
  private let arrived: Guarded<[Message]>

  init() throws {
    let (sessions, arrived) = (sessions, Guarded<[Message]>([]))
    self.arrived = arrived
    inspector = try InspectorApp { sessions.ask(1, $0) }
    sessions.connect(1) { message in arrived.withLock { $0.append(message) } }
  }

  private func session(_ name: String) throws -> Runtime {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate("fruit = model 'fruit' { name = '\(name)' }", as: Value.self)
    return runtime
  }

  /// Lets all say what they have to say.
  private func exchange(_ runtimes: Runtime...) {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for runtime in runtimes { runtime.loop.drain() }
      let messages = arrived.withLock { arrived in
        defer { arrived = [] }
        return arrived
      }
      for message in messages {
        isQuiet = false
        inspector.take(message)
      }
    }
  }

  private func shown(_ expression: String) throws -> String {
    try inspector.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  /// The name of the fruit in the session that the inspector shows.
  private func showFruit(_ runtimes: Runtime...) throws -> String {
    let panes = "require('inspector.panes')"
    try inspector.runtime.evaluate("views.tree:expand(1)", as: Value.self)
    for runtime in runtimes { exchange(runtime) }
    try inspector.runtime.evaluate("\(panes).choose(views.tree.items[1].parts[1])", as: Value.self)
    for runtime in runtimes { exchange(runtime) }
    return try shown("\(panes).properties[1].value")
  }

  @Test func `an inspector without a session says so, and is given the first one`() throws {
    exchange()
    #expect(try shown("models.link.problem").contains("open the app's address"))
    let first = try session("fig")
    let (_, title) = sessions.add(first, of: "")
    exchange(first)
    #expect(try shown("models.link.name .. models.link.problem") == "fruit, session 1")
    #expect(try showFruit(first) == "\"fig\"")
    sessions.remove(title)
  }

  @Test func `another session is looked into when it is chosen, and not before`() throws {
    let (first, second) = (try session("fig"), try session("kiwi"))
    let (_, former) = sessions.add(first, of: "")
    exchange(first)
    let (_, latter) = sessions.add(second, of: "Ann")
    exchange(first, second)
    #expect(try shown("table.concat(views.session.items:totable(), ';')") == "session 1;Ann (2)")
    #expect(try shown("views.session.selectedObject") == "session 1")
    #expect(try showFruit(first, second) == "\"fig\"")
    try inspector.runtime.evaluate(
      "require('inspector.link').ask({ ask = 'session', node = 'Ann (2)' })", as: Value.self)
    exchange(first, second)
    #expect(try shown("models.chosen.node") == "")
    #expect(try showFruit(first, second) == "\"kiwi\"")
    #expect(try shown("views.session.selectedObject") == "Ann (2)")
    sessions.remove(former)
    sessions.remove(latter)
  }

  @Test func `an inspector that two threads switch at once is connected to one session`() throws {
    let runtimes = [try session("fig"), try session("kiwi")]
    let titles = runtimes.map { sessions.add($0, of: "").title }
    let slots = try runtimes.map { try #require($0.models["fruit"]?.slot(named: "name")) }
    for _ in 0..<300 {
      let threads = titles.map { [sessions] title in
        JoinedThread {
          sessions.ask(1, Message("ask", ["ask": .text("session"), "node": .text(title)]))
        }
      }
      for thread in threads { thread.join() }
      for runtime in runtimes { runtime.loop.drain() }
      // An inspection counts the changes of its session.
      let inspected = zip(runtimes, slots).filter { $0.graph.measure(of: $1) != nil }
      #expect(inspected.count == 1)
    }
    for title in titles { sessions.remove(title) }
  }

  @Test func `an inspector of a session that ends says so, and shows nothing of it`() throws {
    let (first, second) = (try session("fig"), try session("kiwi"))
    let (_, former) = sessions.add(first, of: "")
    exchange(first)
    let (_, latter) = sessions.add(second, of: "Ann")
    exchange(first, second)
    _ = try showFruit(first, second)
    sessions.remove(former)
    exchange(first, second)
    #expect(try shown("models.link.problem") == "That session has ended; choose another one.")
    #expect(try shown("#views.tree.items + #require('inspector.panes').properties") == "0")
    sessions.remove(latter)
  }
}
