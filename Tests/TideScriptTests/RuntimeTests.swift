import Dispatch
import TideBindings
import TideGraph
import TideLua
import TideScript
import Testing

@Suite struct `Runtimes` {
  @Test func `one that is gone leaves nothing in the thread's graph that leads to it`() throws {
    var runtime: Runtime? = try Runtime(file: "gone.lua")
    try runtime?.evaluate(
      "transformer('twice', function(text) return text .. text end)", as: Value.self)
    runtime = nil
    let context = BindingContext()
    let source = ValueList(), target = ScratchText()
    #expect(throws: TideError.self) {
      try context.bind("text -> text | twice", ScratchText(), target)
    }
    // Long text and summaries are charged to whoever runs scripts.
    try source.set([.string(String(repeating: "x", count: 10_000))])
    let holder = ScratchText()
    holder.rows = .object(source)
    try context.bind("rows.@unionOfObjects.description -> text", holder, target)
    try context.bind("text -> text | uppercase", holder, target)
    holder.text = String(repeating: "y", count: 10_000)
    #expect(target.text == String(repeating: "Y", count: 10_000))
  }

  @Test(arguments: [1, 10_000, 60_000])
  func `one with too little memory to begin says how much it needs`(_ bytes: Int) throws {
    var configuration = Runtime.Configuration()
    configuration.lua.memory = bytes
    let error = #expect(throws: TideError.self) {
      try Runtime(file: "test.lua", configuration: configuration)
    }
    #expect(error?.code == .scriptMemory)
    #expect(error?.message.contains("\(bytes) bytes") == true)
    #expect(error?.message.contains("1 MiB") == true)
  }

  final class Clock: DataObject {
    @Property var ticks = 0
    @Property var name = "clock"
  }

  @Test func `a script sees the host's models and both write them`() throws {
    let runtime = try Runtime(file: "test.lua")
    let clock = Clock()
    try runtime.register("clock", clock)
    try runtime.evaluate(
      "seen = object { n = 0 } bind('clock.ticks -> seen.n', { roots = { seen = seen } })",
      as: Value.self)
    clock.ticks = 5
    #expect(try runtime.evaluate("seen.n", as: Value.self) == 5)
    try runtime.evaluate("models.clock.ticks = 9 models.clock.name = 'Big Ben'", as: Value.self)
    #expect(clock.ticks == 9)
    #expect(clock.name == "Big Ben")
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("models.clokc.ticks", as: Value.self)
    }
    #expect(error?.message.contains("did you mean \"clock\"") == true)
  }

  @Test func `other threads send it work`() throws {
    let runtime = try Runtime(file: "test.lua")
    let clock = Clock()
    try runtime.register("clock", clock)
    let sender = runtime.sender
    let hasSent = DispatchSemaphore(value: 0)
    // A queue's `sync` would run it on this thread.
    DispatchQueue.global().async {
      for _ in 0..<100 {
        sender.send { runtime in
          let clock = runtime.models["clock"] as? Clock
          clock?.ticks += 1
        }
      }
      hasSent.signal()
    }
    hasSent.wait()
    runtime.settle()
    #expect(clock.ticks == 100)
  }

  @Test func `two runtimes on one thread share nothing`() throws {
    let first = try Runtime(file: "one.lua"), second = try Runtime(file: "two.lua")
    try second.evaluate(
      "m = model 'm' { name = 'second' } transformer('x', function(v) return v end)", as: Value.self
    )
    try first.evaluate("m = model 'm' { name = 'first' }", as: Value.self)
    #expect(try first.evaluate("m.name", as: Value.self) == "first")
    #expect(try second.evaluate("m.name", as: Value.self) == "second")
    #expect(throws: TideError.self) {
      try first.evaluate("bind('name -> name | x', m, object { name = '' })", as: Value.self)
    }
  }

  @Test func `runtimes that are gone leave their graphs to others on the thread`() throws {
    func graphs() throws -> Set<ObjectIdentifier> {
      let runtimes = try (1...3).map { try Runtime(file: "\($0).lua") }
      for runtime in runtimes {
        try runtime.evaluate("m = model 'm' { n = 1 } observe(m, 'n', print)", as: Value.self)
      }
      return Set(runtimes.map { ObjectIdentifier($0.graph) })
    }
    let first = try graphs()
    #expect(first.count == 3)
    for _ in 0..<3 { #expect(try graphs() == first) }
  }

  final class Shared: DataObject {
    @Property var name = "Ada"
  }

  @Test func `an object belongs to the runtime that it is given first, and no other takes it`()
    throws
  {
    let first = try Runtime(file: "one.lua"), second = try Runtime(file: "two.lua")
    let person = Shared()
    try first.register("person", person)
    try first.evaluate(
      "seen = 0 observe(models.person, 'name', function() seen = seen + 1 end)", as: Value.self)
    let error = #expect(throws: TideError.self) { try second.register("person", person) }
    #expect(error?.code == .graph && second.models["person"] == nil, "\(error as Any)")
    person.name = "Eve"
    first.settle()
    #expect(try first.evaluate("seen .. models.person.name", as: Value.self) == "1Eve")
    #expect(first.errors.isEmpty)
  }

  @Test func `a model keeps its values when the script runs anew, but for changed defaults`() throws
  {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate("m = model 'm' { a = 1, b = 'x' } m.a = 5 m.b = 'y'", as: Value.self)
    try runtime.evaluate("m = model 'm' { a = 1, b = 'z', c = true }", as: Value.self)
    #expect(try runtime.evaluate("m.a", as: Value.self) == 5)
    #expect(try runtime.evaluate("m.b", as: Value.self) == "z")
    #expect(try runtime.evaluate("m.c", as: Value.self) == true)
  }

  @Test func `a cycle of bindings is listed with its path, and the app goes on`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      transformer("plus", function(n) return n + 1 end)
      a = model "a" { n = 0 } b = model "b" { n = 0 }
      bind("n -> n | plus", a, b)
      bind("n -> n | plus", b, a)
      """, as: Value.self)
    #expect(runtime.errors.contains { $0.code == .cycle && $0.message.contains("a.n") })
    #expect(try runtime.evaluate("1 + 1", as: Value.self) == 2)
  }

  @Test func `computed values that read each other raise their loop`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      o = object {
        a = computed(function(self) return self.b + 1 end),
        b = computed(function(self) return self.a + 1 end),
      }
      """, as: Value.self)
    let error = #expect(throws: TideError.self) { try runtime.evaluate("o.a", as: Value.self) }
    #expect(error?.code == .cycle)
    let loop = "object.a ((evaluate):2) -> object.b ((evaluate):3) -> object.a"
    #expect(error?.message.contains(loop) == true, "\(error as Any)")
  }
}

private final class ScratchText: DataObject {
  @Property var text = ""
  @Property var rows: Value = .null
}
