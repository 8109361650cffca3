import OwnThread
import TideBindings
import TideGraph
import TideLua
import TideScript
import Testing
import TideViews

@Suite struct `Functions of the host` {
  struct Lost: Error, CustomStringConvertible {
    let description = "the line is dead"
  }

  @Test func `are refused when Lua or Tidelock uses their name`() throws {
    let runtime = try Runtime(file: "app.lua")
    func refusal(_ name: String, _ register: () throws -> Void) {
      let error = #expect(throws: TideError.self, performing: register)
      #expect(error?.code == .duplicate)
      #expect(error?.message.contains("\"\(name)\" would take the place of") == true)
    }
    for name in ["bind", "print", "string", "tidelock", "models", "_G"] {
      refusal(name) { try runtime.register(name) { () -> Int in 1 } }
      #expect(runtime.functions.names.isEmpty)
    }
    refusal("label") { try runtime.register("label", ViewClass(properties: [:])) }
    refusal("trim") { try runtime.register("trim", Transformer { (n: Int) in n }) }
    refusal("model") { try runtime.register(LuaUserType<Token>("model")) }
    try runtime.evaluate("model 'own' { x = 1 }", as: Value.self)
    refusal("own") { try runtime.register("own", Own()) }
    try runtime.register("mine") { () -> Int in 1 }
    try runtime.register("mine") { () -> Int in 2 }
    #expect(try runtime.evaluate("mine()", as: Int.self) == 2)
    #expect(
      try runtime.evaluate("type(bind) .. type(string) .. type(_G)", as: Value.self)
        == "functiontabletable")
    #expect(try runtime.evaluate("view.label { text = 'x' }.text", as: Value.self) == "x")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `are refused under names that no script can write`() throws {
    let runtime = try Runtime(file: "app.lua")
    for name in ["", "end", "a b", "1st", "a.b"] {
      let error = #expect(throws: TideError.self) {
        try runtime.register(name) { () -> Int in 1 }
      }
      #expect(error?.code == .badArgument, "\(error as Any)")
      #expect(throws: TideError.self) { try runtime.register(LuaUserType<Token>(name)) }
      let plain = Transformer { (n: Int) in n }
      #expect(throws: TideError.self) { try runtime.register(name, plain) }
      #expect(throws: TideError.self) { try runtime.register(name, ViewClass(properties: [:])) }
    }
    #expect(throws: TideError.self) { try runtime.register("", Own()) }
    #expect(runtime.functions.names.isEmpty)
  }

  final class Token: TideConvertible {}
  final class Own: DataObject {}

  @Test func `are taken away by the runtime's owner alone, as models are`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.register("mine") { () -> Int in 1 }
    try runtime.register("own", Own())
    nonisolated(unsafe) let shared = runtime
    JoinedThread {
      shared.functions.remove("mine")
      shared.models.remove("own")
      #expect(throws: TideError.self) { try shared.set("own.name", to: "x") }
      #expect(throws: TideError.self) { try shared.reset() }
    }.join()
    #expect(runtime.functions.names == ["mine"])
    #expect(runtime.models.names == ["own"])
    #expect(try runtime.evaluate("mine()", as: Int.self) == 1)
  }

  @Test func `take typed arguments and give a result`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.register("half") { (n: Int) in n / 2 }
    try runtime.register("join") { (a: String, n: Double, flag: Bool) in "\(a) \(n) \(flag)" }
    try runtime.register("fail") { () throws -> Int in throw Lost() }
    var noted: [String] = []
    try runtime.register("note") { (text: String) in noted.append(text) }
    #expect(try runtime.evaluate("half(9)", as: Int.self) == 4)
    #expect(try runtime.evaluate("join('a', 1.5, true)", as: String.self) == "a 1.5 true")
    try runtime.evaluate("note('x')", as: Value.self)
    #expect(noted == ["x"])
    #expect(runtime.functions.names == ["fail", "half", "join", "note"])
    let wrong = #expect(throws: TideError.self) {
      try runtime.evaluate("half('x')", as: Value.self)
    }
    #expect(
      wrong?.message == "bad argument #1 to 'half' (number expected, got string)", "\(wrong as Any)"
    )
    let failed = #expect(throws: TideError.self) { try runtime.evaluate("fail()", as: Value.self) }
    #expect(failed?.message == "the line is dead")
    #expect(failed?.cause is Lost)
    runtime.functions.remove("half")
    #expect(throws: TideError.self) { try runtime.evaluate("half(9)", as: Value.self) }
  }

  @Test func `may be asynchronous, for which the script waits`() async throws {
    try await onOwnThread {
      let runtime = try Runtime(file: "test.lua")
      try runtime.register("fetch") { (url: String) async throws -> String in
        await Task.yield()
        return "page of \(url)"
      }
      try runtime.register("add") { (a: Int, b: Int) async -> Int in a + b }
      try runtime.register("rest") { () async in await Task.yield() }
      try runtime.register("fail") { (_: String) async throws -> String in throw Lost() }
      #expect(try runtime.evaluate("fetch('x')", as: String.self) == "page of x")
      #expect(try runtime.evaluate("add(1, add(2, 3))", as: Int.self) == 6)
      #expect(try runtime.evaluate("rest()", as: Value.self) == .null)
      let failed = #expect(throws: TideError.self) {
        try runtime.evaluate("fail('x')", as: Value.self)
      }
      #expect(failed?.message == "the line is dead")
      let caught = "(function() local ok, e = pcall(fail, 'x') return e.message end)()"
      #expect(try runtime.evaluate(caught, as: String.self) == "the line is dead")
      let refused = #expect(throws: TideError.self) {
        try runtime.evaluate(
          "object { a = computed(function() return fetch('x') end) }.a", as: Value.self)
      }
      #expect(refused?.message.contains("'fetch' has to wait") == true)
      let wrong = #expect(throws: TideError.self) {
        try runtime.evaluate("add(1, 'x')", as: Value.self)
      }
      #expect(wrong?.message == "bad argument #2 to 'add' (number expected, got string)")
    }
  }

  /// A runtime whose function "fetch" gives its argument back when the gate of that is open.
  private static func makeRuntime(fetching gates: Gates) throws -> Runtime {
    let runtime = try Runtime(file: "test.lua")
    try runtime.register("fetch") { (url: String) async -> String in
      await gates.wait(url)
      return url
    }
    return runtime
  }

  @Test func `keep an app running until they are done`() async throws {
    let gates = Gates()
    async let code = onOwnThread {
      let runtime = try Self.makeRuntime(fetching: gates)
      try runtime.evaluate(
        "spawn(function() result = fetch('a') .. fetch('b') end)", as: Value.self)
      gates.open("a")
      gates.open("b")
      while runtime.loop.hasWork { runtime.turn() }
      return try runtime.evaluate("result", as: String.self)
    }
    #expect(try await code == "ab")
  }

  final class Pet: DataObject {
    @Property var name = "Rex"
  }

  @Test func `give objects that live as long as a script holds them`() throws {
    let runtime = try Runtime(file: "test.lua")
    weak var made: Pet?
    try runtime.register("pet") { () -> Pet in
      let pet = Pet()
      made = pet
      return pet
    }
    try runtime.register("nameOf") { (pet: Pet) in pet.name }
    try runtime.register("both") { (one: Pet, other: Pet) in one.name + other.name }
    try runtime.register("ignore") { () -> Void in }
    try runtime.register("clear") { () -> Void in runtime.models.remove("lent") }
    try runtime.register("same") { (pet: Pet) in pet }
    #expect(
      try runtime.evaluate("nameOf(pet()) .. both(pet(), pet())", as: Value.self) == "RexRexRex")
    try runtime.evaluate(
      "pat = pet() pat.name = 'Pat' collectgarbage() other = pet()", as: Value.self)
    #expect(
      try runtime.evaluate("nameOf(pat) .. pat.name .. nameOf(same(pat))", as: Value.self)
        == "PatPatPat")
    try runtime.evaluate(
      "for i = 1, 100 do pat = same(pat) pet() end collectgarbage()", as: Value.self)
    #expect(try runtime.evaluate("nameOf(pat) .. other.name", as: Value.self) == "PatRex")
    #expect(try runtime.evaluate("pat", as: Pet.self).name == "Pat")
    // It is let go when it has been collected and Lua next calls something from outside.
    try runtime.evaluate(
      "nameOf(pet()) pat, other = nil collectgarbage() collectgarbage() ignore()", as: Value.self)
    #expect(made == nil)
    try runtime.register("lent", Pet())
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("lent = models.lent clear() return nameOf(lent)", as: Value.self)
    }
    #expect(error?.message == "bad argument #1 to 'nameOf' (this Pet has been disposed of)")
  }

  @Test func `are cancelled with the task that waits for them`() async throws {
    let gates = Gates()
    try await onOwnThread {
      let runtime = try Self.makeRuntime(fetching: gates)
      try runtime.evaluate(
        """
        log = ''
        task = spawn(function() log = log .. fetch('slow') end)
        context('screen', function() spawn(function() log = log .. fetch('other') end) end)
        """, as: Value.self)
      try runtime.evaluate("task:cancel() context.clear('screen')", as: Value.self)
      // Functions that have ended because of it by now say so through the inbox.
      runtime.settle()
      #expect(!runtime.loop.hasWork)
      gates.open("slow")
      gates.open("other")
      runtime.settle()
      #expect(try runtime.evaluate("log", as: String.self) == "")
      #expect(runtime.errors.isEmpty)
    }
  }

  @Test func `whose runtime is gone drop what they give`() async throws {
    let gates = Gates()
    try await onOwnThread {
      let runtime = try Self.makeRuntime(fetching: gates)
      try runtime.evaluate("spawn(fetch, 'late')", as: Value.self)
    }
    gates.open("late")
  }
}

@Suite struct `Evaluating from Swift` {
  @Test func `gives values of a Swift type`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate("person = model 'person' { name = 'Ada', age = 36 }", as: Value.self)
    #expect(try runtime.evaluate("person.name", as: String.self) == "Ada")
    #expect(try runtime.evaluate("local n = person.age return n + 1", as: Int.self) == 37)
    #expect(try runtime.evaluate("nil", as: Int?.self) == nil)
    let wrong = #expect(throws: TideError.self) {
      try runtime.evaluate("person.name", as: Int.self)
    }
    #expect(wrong?.code == .wrongType)
    #expect(wrong?.message == "(evaluate) gives \"Ada\", where Int is expected")
    let broken = #expect(throws: TideError.self) { try runtime.evaluate("person..", as: Int.self) }
    #expect(broken?.code == .scriptSyntax)
    let raised = #expect(throws: TideError.self) {
      try runtime.evaluate("error('no')", as: Int.self)
    }
    #expect(raised?.message == "no")
  }

  @Test func `lets the loop turn while the text waits`() throws {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    #expect(try runtime.evaluate("sleep(5) return now()", as: Double.self) == 5)
    let failed = #expect(throws: TideError.self) {
      try runtime.evaluate("sleep(1) error('late')", as: Value.self)
    }
    #expect(failed?.message == "late")
    let cancelled = #expect(throws: TideError.self) {
      try runtime.evaluate(
        "local t = spawn(sleep, 9) after(1, function() t:cancel() end) await(t)", as: Value.self)
    }
    #expect(cancelled?.code == .cancelled)
  }

  @Test func `within a function of the loop does not wait`() throws {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    var caught: (any Error)?
    runtime.loop.after(1) {
      do { try runtime.evaluate("sleep(1) late = true", as: Value.self) } catch { caught = error }
    }
    runtime.loop.advance(by: 5)
    #expect((caught as? TideError)?.code == .async)
    #expect(try runtime.evaluate("late", as: Value.self) == .null)
  }
}
