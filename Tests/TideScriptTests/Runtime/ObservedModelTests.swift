import Dispatch
import Observation
import Synchronization
import Testing
import TideBindings
import TideScript

@Suite struct `Observable objects in scripts` {
  @Observable final class Room {
    var name = "hall"
    var target = 20
    var title: String { "\(name) at \(target)" }
  }

  /// One whose value any thread may write.
  final class Gauge: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let stored = Mutex(0)

    var value: Int {
      get {
        registrar.access(self, keyPath: \.value)
        return stored.withLock { $0 }
      }
      set {
        registrar.withMutation(of: self, keyPath: \.value) { stored.withLock { $0 = newValue } }
      }
    }
  }

  private func makeRuntime(_ room: Room) throws -> Runtime {
    let runtime = try Runtime(source: "-- nothing")
    try runtime.register(
      "room",
      ObservedModel(
        room, .property("name", \.name), .property("target", \.target), .readOnly("title", \.title))
    )
    return runtime
  }

  @Test func `what is computed from a property follows a script's write at once`() throws {
    let room = Room()
    let runtime = try makeRuntime(room)
    #expect(try runtime.evaluate("models.room.title", as: String.self) == "hall at 20")
    let title = try runtime.evaluate(
      "models.room.name = 'attic' return models.room.title", as: String.self)
    #expect(title == "attic at 20")
    #expect(try runtime.evaluate("models.room.title", as: String.self) == "attic at 20")
    #expect(room.name == "attic")
  }

  @Test func `what Swift writes is found by the next evaluation, and by what is bound`() throws {
    let room = Room()
    let runtime = try makeRuntime(room)
    try runtime.evaluate(
      "seen = {} observe(models.room, 'title', function(new) seen[#seen + 1] = new end)",
      as: Value.self)
    room.target = 21
    room.target = 22
    #expect(try runtime.evaluate("models.room.title", as: String.self) == "hall at 22")
    #expect(try runtime.evaluate("table.concat(seen, ';')", as: String.self) == "hall at 22")
  }

  @Test func `what a script writes is taken back`() throws {
    let room = Room()
    let runtime = try makeRuntime(room)
    try runtime.evaluate("history = undo.manager { models.room }", as: Void.self)
    try runtime.evaluate(
      "undo.group('warmer', function() models.room.target = 25 end)", as: Void.self)
    #expect(room.target == 25)
    try runtime.evaluate("history:undo()", as: Void.self)
    #expect(room.target == 20)
    #expect(try runtime.evaluate("models.room.title", as: String.self) == "hall at 20")
    try runtime.evaluate("history:redo()", as: Void.self)
    #expect(room.target == 25)
  }

  @Test func `another thread's write is found by the next evaluation`() throws {
    let gauge = Gauge()
    let runtime = try Runtime(source: "-- nothing")
    try runtime.register("gauge", ObservedModel(gauge, .readOnly("value", \.value)))
    #expect(try runtime.evaluate("models.gauge.value", as: Int.self) == 0)
    let isWritten = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      gauge.value = 5
      isWritten.signal()
    }
    isWritten.wait()
    #expect(try runtime.evaluate("models.gauge.value", as: Int.self) == 5)
  }
}
