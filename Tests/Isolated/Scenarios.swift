import OwnThread
import TideBindings
import TideGraph
import TideLua
import TideRun
import TideScript

/// What holds of graphs, actors and threads, one after the other.
enum Scenarios {
  actor Store {
    // Made where the actor is made, before it can run.
    private let first = Person("first", 1)
    private let context = BindingContext()
    private var people: [(person: Person, label: Label)] = []

    func fill(_ count: Int) throws {
      for number in 0..<count {
        let pair = (person: Person("p\(number)", number), label: Label())
        try context.bind(pair.person, \.name, to: pair.label, \.text)
        context.bind(pair.person.$age, to: pair.label.$amount) { $0 + 1 }
        people.append(pair)
      }
      try context.bind(first, \.name, to: people[0].label, \.text)
    }

    func grow(_ number: Int) {
      people[number].person.age += 1000
      if number > 0 { people[number].person.name = "q\(number)" }
    }

    /// How many values are wrong.
    func wrong() -> Int {
      var wrong = 0
      for (number, pair) in people.enumerated() {
        if pair.label.amount != number + 1001 { wrong += 1 }
        if pair.label.text != (number == 0 ? "first" : "q\(number)") { wrong += 1 }
      }
      return wrong
    }

    func take(_ person: sending Person) -> TideError.Code? {
      do {
        try context.observe(person, \.age) { _, _ in }
        return nil
      } catch {
        return (error as? TideError)?.code
      }
    }
  }

  /// Several actors at once, each with 54 objects and two values for each.
  static func stores(_ report: Report) async throws {
    let stores = (0..<4).map { _ in Store() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask {
          try await store.fill(54)
          for number in 0..<54 {
            await store.grow(number)
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    for store in stores {
      let wrong = await store.wrong()
      report.expect(wrong == 0, "\(wrong) of 108 values of an actor are wrong")
    }
  }

  static func sending(_ report: Report) async {
    let store = Store()
    let free = await store.take(Person("free", 1))
    report.expect(free == nil, "an object that is nobody's cannot be sent: \(free?.name ?? "")")
    let joined = await Task { @MainActor in
      let person = Person("main", 2), context = BindingContext()
      _ = try? context.bind(person, \.name, to: Label(), \.text)
      return await store.take(person)
    }.value
    report.expect(joined == .graph, "an object of the main actor's was taken by another actor")
    // Boxed, because the compiler does not let it out.
    let free2 = Parcel(person: Person("task", 3), age: 3, isFree: true)
    let code = await Task.detached { () -> TideError.Code? in
      do {
        try BindingContext().observe(free2.person, \.age) { _, _ in }
        return nil
      } catch {
        return (error as? TideError)?.code
      }
    }.value
    report.expect(code == .graph, "a task on no actor has bound something")
  }

  @MainActor static func twoRuntimes(_ report: Report) throws {
    let first = try Runtime(file: "first.lua"), second = try Runtime(file: "second.lua")
    let one = Person("one", 1), two = Person("two", 2)
    try first.register("person", one)
    try second.register("person", two)
    for runtime in [first, second] {
      _ = try runtime.evaluate(
        "seen = 0 observe(models.person, 'age', function() seen = seen + 1 end)", as: Bool?.self)
    }
    one.age = 10
    two.age = 20
    two.age = 21
    for (runtime, count) in [(first, 1), (second, 2)] {
      runtime.settle()
      let seen = try runtime.evaluate("seen", as: Int.self)
      report.expect(seen == count, "\(runtime.path) was told of \(seen) changes, not \(count)")
    }
    do {
      try second.register("person", one)
      report.expect(false, "a second runtime took the object")
    } catch {
      report.expect(error.code == .graph, "\(error)")
    }
    report.expect(first.errors.isEmpty, "\(first.errors)")
  }

  /// A runtime in an ordinary actor, which hops from thread to thread.
  actor Service {
    private var runtime: Runtime?
    let person = Person("served", 0)

    func begin() throws {
      let made = try Runtime(file: "service.lua")
      try made.register("person", person)
      try made.register("later") { (n: Int) async throws -> Int in n + 1 }
      _ = try made.evaluate(
        """
        ticks = 0
        every(0.002, function() ticks = ticks + 1 end)
        observe(models.person, 'age', function(new) seen = new end)
        """, as: Bool?.self)
      runtime = made
    }

    func run() async throws -> Bool {
      do {
        _ = try await runtime?.run()
        return false
      } catch is CancellationError {
        return true
      }
    }

    func write(_ age: Int) throws -> Int {
      person.age = age
      return try runtime?.evaluate("seen", as: Int.self) ?? -1
    }

    func ticks() throws -> Int { try runtime?.evaluate("ticks", as: Int.self) ?? -1 }
  }

  static func services(_ report: Report) async throws {
    let services = (0..<4).map { _ in Service() }
    for service in services { try await service.begin() }
    let runs = services.map { service in Task { try await service.run() } }
    for age in 1...50 {
      for service in services {
        let seen = try await service.write(age)
        report.expect(seen == age, "a script saw \(seen), not \(age)")
        await Task.yield()
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    for service in services {
      let ticks = try await service.ticks()
      report.expect(ticks > 0, "the timers of a runtime that runs in an actor do not run")
    }
    for run in runs { run.cancel() }
    for run in runs {
      let wasCancelled = try await run.value
      report.expect(wasCancelled, "a run ended without its cancellation")
    }
  }

  @TideActor static func onTideActor(_ report: Report) async throws {
    let runtime = try Runtime(file: "tide.lua")
    try runtime.register("double") { @TideActor (n: Int) async throws -> Int in n * 2 }
    _ = try await runtime.evaluate(
      "_ = after(0.001, function() exit(double(21)) end)", as: Bool?.self)
    let code = try await runtime.run()
    report.expect(code == 42, "a function of the runtime's own actor gave \(code)")
  }

  actor Guest {
    nonisolated let executor: RuntimeExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let context = BindingContext()
    private var seen: [Int] = []

    init(_ executor: RuntimeExecutor) { self.executor = executor }

    func watch(_ parcel: Parcel) throws {
      try context.observe(parcel.person, \.age) { [weak self] new, _ in
        self?.assumeIsolated { $0.seen.append(new) }
      }
    }

    func ages() -> [Int] { seen }
  }

  @MainActor static func guests(_ report: Report) async throws {
    let runtime = try Runtime(file: "guest.lua")
    let person = Person("hosted", 0)
    try runtime.register("person", person)
    _ = try await runtime.evaluate(
      "_ = every(0.001, function() models.person.age = models.person.age + 1 end)", as: Bool?.self)
    let guest = Guest(runtime.executor)
    let parcel = Parcel(person: person, age: 0, isFree: false)
    let run = Task { @MainActor in _ = try? await runtime.run() }
    try await guest.watch(parcel)
    while await guest.ages().count < 5 { try await Task.sleep(for: .milliseconds(1)) }
    // While the loop is turned: nothing else runs the guest.
    let ages = await guest.ages()
    run.cancel()
    await run.value
    report.expect(ages == Array(ages[0]..<(ages[0] + ages.count)), "a guest saw \(ages)")
  }

  @MainActor static func deadlock(_ report: Report) throws {
    var configuration = Runtime.Configuration(turn: .milliseconds(200))
    configuration.print = { _ in }
    let runtime = try Runtime(file: "deadlock.lua", configuration: configuration)
    try runtime.register("need") { () async throws -> Int in await MainActor.run { 1 } }
    do {
      _ = try runtime.evaluate("need()", as: Int.self)
      report.fail("a function that needs the actor that waits for it has come")
    } catch {
      report.expect((error as? TideError)?.code == .deadlock, "\(error)")
    }
  }

  // Unchecked, because it is used in a way that must be found out.
  private struct SentState: @unchecked Sendable {
    let state: LuaState
  }

  static func secondUser() throws {
    let state = try LuaState()
    let sent = SentState(state: state)
    try state.register("elsewhere") { (call: borrowing LuaCall) in
      let thread = JoinedThread { _ = try? sent.state.evaluate("1", as: Int.self) }
      thread.join()
    }
    _ = try? state.evaluate("elsewhere()", as: Int?.self)
    print("went on")
  }

  /// What is made in short-lived actors and released wherever that ends.
  static func shortLives(_ report: Report) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            let store = Store()
            do {
              try await store.fill(3)
              await store.grow(1)
            } catch {
              report.fail("\(error)")
            }
          }
        }
      }
    }
  }
}
