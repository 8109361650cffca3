import OwnThread
import Dispatch
import Synchronization
import TideBindings
import TideGraph
import TideScript
import Testing

@Suite struct `Values from other threads` {
  final class Meter: DataObject {
    @Property var level = 0
    @Property(validate: { $0 >= 0 ? .accept : .refuse("no level is negative") }) var checked = 0
    @Property var text = ""
  }

  @Test func `arrive in the order of their sending`() async throws {
    try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      let context = BindingContext()
      let meter = Meter()
      var seen: [Int] = []
      context.observe(meter.$level) { new, _ in seen.append(new) }
      let sender = try context.sender(to: meter.$level)
      let done = try context.sender(to: meter.$text)
      Task {
        for level in 1...1000 { try sender.send(level) }
        try done.send("done")
      }
      while meter.text != "done" { runtime.turn() }
      #expect(seen == Array(1...1000))
      context.removeAll()
    }
  }

  @Test func `are converted to the property's type where it is named`() throws {
    let runtime = try Runtime(file: "test.lua")
    let context = BindingContext()
    let meter = Meter()
    let sender = try context.sender(to: meter, "text", of: Int.self)
    try sender.send(33)
    runtime.settle()
    #expect(meter.text == "33")
    let unknown = #expect(throws: TideError.self) {
      try context.sender(to: meter, "levle", of: Int.self)
    }
    #expect(unknown?.message.contains("did you mean \"level\"?") == true)
    let wrong = try context.sender(to: meter, "level", of: String.self)
    try wrong.send("much")
    runtime.settle()
    #expect(runtime.errors.map(\.code) == [.conversion])
  }

  @Test func `are gathered until the next frame, where the latest is written`() throws {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    let context = BindingContext()
    let meter = Meter()
    var seen: [Int] = []
    context.observe(meter.$level) { new, _ in seen.append(new) }
    let sender = try context.sender(to: meter.$level, deliver: .frame)
    for level in 1...10 { try sender.send(level) }
    runtime.loop.advance(by: 1)
    #expect(seen == [10])
  }

  @Test func `can be delivered at once, on the sender's thread`() throws {
    let runtime = try Runtime(file: "test.lua")
    let context = BindingContext()
    let meter = Meter()
    let total = Guarded(0)
    let sender = try context.sender(of: Int.self, deliver: .immediate) { value in
      total.withLock { $0 += value }
    }
    let property = try context.sender(to: meter.$level, deliver: .immediate)
    try property.send(5)
    #expect(meter.level == 5)
    DispatchQueue.concurrentPerform(iterations: 10) { try? sender.send($0 + 1) }
    #expect(total.withLock { $0 } == 55)
    context.isEnabled = false
    try sender.send(100)
    #expect(total.withLock { $0 } == 55)
    context.isEnabled = true
    #expect(total.withLock { $0 } == 155)
    context.removeAll()
    try sender.send(1)
    #expect(total.withLock { $0 } == 155)
    withExtendedLifetime(runtime) {}
  }

  @Test func `are not written at once by a thread that is not the property's`() async throws {
    let (codes, codeFound) = AsyncStream.makeStream(of: TideError.Code?.self)
    try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      let context = BindingContext()
      let meter = Meter()
      let sender = try context.sender(to: meter.$level, deliver: .immediate)
      let isDone = DispatchSemaphore(value: 0)
      spawnThread {
        var code: TideError.Code?
        do throws(TideError) { try sender.send(1) } catch { code = error.code }
        codeFound.yield(code)
        codeFound.finish()
        isDone.signal()
      }
      isDone.wait()
      #expect(meter.level == 0)
      withExtendedLifetime(runtime) {}
    }
    for await code in codes { #expect(code == .badArgument) }
  }

  @Test func `can be waited for`() async throws {
    let meter = try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      let context = BindingContext()
      let meter = Meter()
      let level = try context.sender(to: meter.$level, deliver: .wait)
      let checked = try context.sender(to: meter.$checked, deliver: .wait)
      let log = Guarded<[String]>([])
      context.observe(meter.$level) { new, _ in log.withLock { $0.append("wrote \(new)") } }
      spawnThread {
        try? level.send(1)
        log.withLock { $0.append("sent 1") }
        do throws(TideError) { try checked.send(-1) } catch {
          log.withLock { $0.append(error.message) }
        }
        try? level.send(2)
      }
      while meter.level != 2 { runtime.turn() }
      #expect(log.withLock { $0 } == ["wrote 1", "sent 1", "no level is negative", "wrote 2"])
      #expect(runtime.errors.isEmpty)
      context.removeAll()
      return meter.level
    }
    #expect(meter == 2)
  }

  @Test func `that the own thread waits for are written unless a batch is open`() throws {
    let runtime = try Runtime(file: "test.lua")
    let context = BindingContext()
    let meter = Meter()
    let sender = try context.sender(to: meter.$level, deliver: .wait)
    try sender.send(1)
    #expect(meter.level == 1)
    let error = #expect(throws: TideError.self) { try runtime.graph.batch { try sender.send(2) } }
    #expect(error?.code == .deadlock)
    #expect(meter.level == 1)
    var caught: TideError?
    context.observe(meter.$text) { _, _ in
      do throws(TideError) { try sender.send(3) } catch { caught = error }
    }
    meter.text = "x"
    #expect(caught?.code == .deadlock)
  }

  @Test func `of runtimes that wait for each other are an error for the second`() async throws {
    let (senders, senderMade) = AsyncStream.makeStream(of: ValueSender<Int>.self)
    let (codes, codeFound) = AsyncStream.makeStream(of: TideError.Code?.self)
    let back = Guarded<ValueSender<Int>?>(nil)
    // The one that is waited for sends back while it takes the value.
    async let taking: Void = onOwnThread {
      let runtime = try Runtime(file: "taking.lua")
      let context = BindingContext()
      let meter = Meter()
      context.observe(meter.$level) { _, _ in
        var code: TideError.Code?
        do throws(TideError) { try back.withLock { $0 }?.send(2) } catch { code = error.code }
        codeFound.yield(code)
        codeFound.finish()
      }
      senderMade.yield(try context.sender(to: meter.$level, deliver: .wait))
      senderMade.finish()
      while meter.level != 1 { runtime.turn() }
      context.removeAll()
    }
    var received: ValueSender<Int>?
    for await sender in senders { received = sender }
    let forth = try #require(received)
    try await onOwnThread {
      let runtime = try Runtime(file: "waiting.lua")
      let context = BindingContext()
      let meter = Meter()
      let sender = try context.sender(to: meter.$level, deliver: .wait)
      back.withLock { $0 = sender }
      try forth.send(1)
      #expect(meter.level == 0)
      context.removeAll()
      withExtendedLifetime(runtime) {}
    }
    try await taking
    for await code in codes { #expect(code == .deadlock) }
  }

  @Test func `that are waited for end with the runtime`() async throws {
    let (codes, codeFound) = AsyncStream.makeStream(of: TideError.Code?.self)
    try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      let context = BindingContext()
      let meter = Meter()
      let sender = try context.sender(to: meter.$level, deliver: .wait)
      spawnThread {
        var code: TideError.Code?
        do throws(TideError) { try sender.send(1) } catch { code = error.code }
        codeFound.yield(code)
        codeFound.finish()
      }
      withExtendedLifetime(runtime) {}
    }
    var count = 0
    for await code in codes {
      #expect(code == .disposed)
      count += 1
    }
    #expect(count == 1)
  }

  @Test func `are kept while their context is disabled and dropped when it is cleared`() throws {
    let runtime = try Runtime(file: "test.lua")
    let context = BindingContext()
    let meter = Meter()
    let sender = try context.sender(to: meter.$level)
    context.isEnabled = false
    try sender.send(1)
    try sender.send(2)
    runtime.settle()
    #expect(meter.level == 0)
    context.isEnabled = true
    #expect(meter.level == 2)
    try sender.send(3)
    context.removeAll()
    runtime.settle()
    #expect(meter.level == 2)
    #expect(runtime.errors.isEmpty)
  }
}

@Suite struct `Triggers by sequences` {
  final class Form: DataObject {
    @Property var text = "a"
  }

  struct Broken: Error, CustomStringConvertible {
    let description = "the sequence broke"
  }

  private static func bind(
    _ form: Form, _ copy: Form, onElementsOf sequence: some AsyncSequence & Sendable,
    in context: BindingContext
  ) throws -> Binding {
    var options = BindingOptions()
    options.triggers = [.elements(of: sequence)]
    return try context.bind("text -> text", form, copy, options)
  }

  @Test func `fire for each element and end with the binding`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      let context = BindingContext()
      let form = Form(), copy = Form()
      let binding = try Self.bind(form, copy, onElementsOf: stream, in: context)
      form.text = "b"
      #expect(copy.text == "a")
      continuation.yield(1)
      while copy.text == "a" { runtime.turn() }
      #expect(copy.text == "b")
      form.text = "c"
      continuation.yield(2)
      while copy.text == "b" { runtime.turn() }
      #expect(copy.text == "c")
      form.text = "d"
      binding.unbind()
      continuation.yield(3)
      for _ in 0..<5 { runtime.turn(timeout: 0.001) }
      #expect(copy.text == "c")
    }
  }

  @Test func `that end or fail leave the binding, and what they threw is listed`() async throws {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      let context = BindingContext()
      let form = Form(), copy = Form()
      let binding = try Self.bind(form, copy, onElementsOf: stream, in: context)
      continuation.finish(throwing: Broken())
      while runtime.errors.isEmpty { runtime.turn() }
      #expect(runtime.errors.first?.message == "the sequence broke")
      form.text = "b"
      binding.fire()
      #expect(copy.text == "b")
      context.removeAll()
    }
  }

  @Test func `whose elements never end are asked for one at a time`() async throws {
    struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
      let asked: Counter
      func makeAsyncIterator() -> Endless { self }
      mutating func next() async -> Int? { asked.add() }
    }
    final class Counter: Sendable {
      private let count = Atomic(0)
      func add() -> Int { count.add(1, ordering: .relaxed).newValue }
      var value: Int { count.load(ordering: .relaxed) }
    }
    let asked = Counter()
    try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      let context = BindingContext()
      let form = Form(), copy = Form()
      _ = try Self.bind(form, copy, onElementsOf: Endless(asked: asked), in: context)
      // Each turn takes what has been posted; without turns nothing more is asked for.
      for turns in 1...10 {
        runtime.turn()
        #expect(asked.value <= turns + 1)
      }
      #expect(asked.value >= 2)
      context.removeAll()
    }
  }
}
