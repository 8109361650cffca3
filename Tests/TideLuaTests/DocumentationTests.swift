import Foundation
import Testing
import TideLua

/// The examples of the article and of the landing page, word for word, so that
/// they compile and run.
@Suite struct `The examples of the documentation` {
  @Test func `of the landing page`() throws {
    let state = try LuaState()
    try state.register("greet") { (name: String) in "Hello, \(name)!" }
    let greeting = try state.evaluate("greet('fig')", as: String.self)
    #expect(greeting == "Hello, fig!")
  }

  @Test func `of the overview`() throws {
    let state = try LuaState()
    let answer = try state.evaluate("6 * 7", as: Int.self)
    let (name, age) = try state.evaluate("'Jimmy', 12", as: (String, Int).self)
    try state.run("function double(n) return 2 * n end", name: "@double.lua")
    #expect(answer == 42 && name == "Jimmy" && age == 12)
    #expect(try state.evaluate("double(4)", as: Int.self) == 8)
  }

  @Test func `of values`() throws {
    let state = try LuaState()
    let values = try state.run("return 1, 1.0, 'fig', '\\xff', nil, {}", name: "=values")
    #expect(values[0] == .integer(1) && values[1] == .number(1))
    #expect(values[2] == "fig" && values[3] == .bytes([0xff]) && values[4].isNil)
    let table = try #require(values[5].table)
    try table.set("ripe", true)
    #expect(try table["ripe"] == true)
  }

  @Test func `of references and ownership`() throws {
    let state = try LuaState()
    let deposit = try state.function(named: "deposit") { call in
      let account = try call.instance(0, of: Account.self)
      account.total += try call.integer(1)
    }
    let methods = try state.table(["deposit": .function(deposit)])
    let meta = try state.table(["__index": .table(methods)])
    var account: Account? = Account()
    if let account {
      try state.globals.set("lent", .userdata(state.userdata(lending: account, metatable: meta)))
    }
    try state.globals.set("owned", .userdata(state.userdata(for: Account(), metatable: meta)))
    try state.run("owned:deposit(5) lent:deposit(5)", name: "=bank")
    #expect(account?.total == 5)
    account = nil
    let gone = #expect(throws: LuaError.self) { try state.run("lent:deposit(1)", name: "=bank") }
    #expect(gone?.message == "calling 'deposit' on bad self (the Account is gone)")
  }

  @Test func `of calls`() throws {
    let state = try LuaState()
    let divide = try state.evaluate("function(a, b) return a // b, a % b end", as: LuaFunction.self)
    let (quotient, rest) = try divide.call(17, 5, as: (Int, Int).self)
    let raw = try divide.call([17, 5])
    #expect(quotient == 3 && rest == 2 && raw == [3, 2])
    try state.register("half") { (n: Int) in n / 2 }
    try state.register("sum") { call in
      var sum = 0.0
      for index in 0..<call.count { sum += try call.number(index) }
      call.return(sum)
    }
    #expect(try state.evaluate("sum(half(9), 0.5)", as: Double.self) == 4.5)
  }

  @Test func `of errors`() throws {
    let state = try LuaState()
    struct OutOfFruit: Error {}
    try state.register("pick") { (_: String) in throw OutOfFruit() }
    do {
      let script = "local ok, e = pcall(function() pick('fig') end)\nerror(e)"
      try state.run(script, name: "@basket.lua")
    } catch {
      #expect(error.cause is OutOfFruit)
      #expect(error.location?.description == "basket.lua:1")
    }
  }

  @Test func `of coroutines and waiting`() async throws {
    let state = try LuaState()
    try state.register("sleep") { (seconds: Double) in
      try await Task.sleep(for: .seconds(seconds))
    }
    try state.register("fetch") { (key: String) async throws -> String in
      await Task.yield()
      return "contents of \(key)"
    }
    let page = try await state.run(
      async: "sleep(0.001) local ok, page = pcall(fetch, 'a') return page", name: "@fetch.lua")
    #expect(page == ["contents of a"])
    let task = Task {
      let state = try LuaState()
      try state.register("sleep") { (seconds: Double) in
        try await Task.sleep(for: .seconds(seconds))
      }
      try await state.run(async: "while true do pcall(sleep, 60) end", name: "=patient")
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `of Codable`() throws {
    let state = try LuaState()
    struct Settings: Codable {
      var title: String
      var size: [Int]
      var colors: [String: String]?
    }
    let settings = try state.evaluate(
      "{ title = 'Basket', size = { 80, 25.0 } }", as: LuaTable.self
    ).decode(Settings.self)
    #expect(settings.title == "Basket" && settings.size == [80, 25] && settings.colors == nil)
    try state.globals.set("settings", state.encode(settings))
    let error = #expect(throws: DecodingError.self) {
      try state.evaluate("{ title = 'x', size = { 1, 'two' } }", as: LuaTable.self)
        .decode(Settings.self)
    }
    guard case .typeMismatch(_, let context) = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["size", "2"])
  }

  @Test func `of sandbox and capabilities`() throws {
    let state = try LuaState()
    var configuration = LuaConfiguration()
    configuration.access.environment = ["HOME"]
    configuration.capabilities = [.debug]
    let trusting = try LuaState(configuration)
    #expect(try trusting.evaluate("os.getenv('HOME') ~= nil and debug ~= nil", as: Bool.self))
    let refused = #expect(throws: LuaError.self) { try state.run("os.getenv('HOME')", name: "=t") }
    #expect(refused?.message.contains("is not allowed") == true)
  }

  @Test func `of budgets`() throws {
    var small = LuaConfiguration()
    small.memory = 8 << 20
    small.turn = .milliseconds(50)
    let bounded = try LuaState(small)
    for (script, kind) in [
      ("while true do pcall(error) end", LuaError.Kind.time),
      ("local t = {} for i = 1, 1e9 do t[i] = i end", .memory),
    ] {
      let error = #expect(throws: LuaError.self) { try bounded.run(script, name: "=greedy") }
      #expect(error?.kind == kind)
    }
  }

  @Test func `of threads`() throws {
    let state = try LuaState()
    let interrupter = state.interrupter
    try state.register("work") { (_: Int) in interrupter.interrupt() }
    let stopped = #expect(throws: LuaError.self) {
      try state.run("work(1) while true do end", name: "=busy")
    }
    #expect(stopped?.kind == .interrupted)
  }

  @Test func `of a process of its own`() throws {
    let request = Request(
      script: "local t = ... return { sum = t.a + t.b }", input: ["a": 1, "b": 2])
    let encoded = try JSONEncoder().encode(request)
    let good = try JSONDecoder().decode(Answer.self, from: answer(encoded))
    #expect(good.result == ["sum": 3] && good.error == nil)
    let bad = try JSONDecoder().decode(Answer.self, from: answer(Data("nonsense".utf8)))
    #expect(bad.result == nil && bad.error != nil)
    // A worker that gives back what it gets, and one that never answers.
    let echoed = try ask(URL(filePath: "/bin/cat"), encoded, within: 20)
    #expect(echoed == encoded)
    let sleeper = FileManager.default.temporaryDirectory.appending(path: "sleeper-\(UUID())")
    // Written by another program: a file that this one writes may still be open in a process that
    // another test has just forked, and cannot be run until it is closed there.
    let writer = try Process.run(
      URL(filePath: "/bin/sh"),
      arguments: [
        "-c", "printf '#!/bin/sh\\nexec /bin/sleep 60\\n' >$0; chmod 700 $0", sleeper.path,
      ])
    writer.waitUntilExit()
    defer { try? FileManager.default.removeItem(at: sleeper) }
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try ask(sleeper, Data(), within: 0.1) == Data())
    #expect(clock.now - start < .seconds(30))
  }

  @Test func `all are here as they are there`() throws {
    let tests = URL(filePath: #filePath)
    let own = lines(try String(contentsOf: tests, encoding: .utf8))
    let folder = tests.deletingLastPathComponent()
      .appending(path: "../../Sources/TideLua/TideLua.docc").standardized
    var count = 0
    for page in ["SoundHost.md", "TideLua.md"] {
      let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let code = lines(block.components(separatedBy: "```")[0])
        count += 1
        #expect(own.contains(code), "an example of \(page) is not tested:\n\(code)")
      }
    }
    #expect(count > 12)
  }

  /// The text without the margins of its lines.
  private func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

private final class Account { var total = 0 }

struct Request: Codable {
  var script: String
  var input: [String: Double]
}
struct Answer: Codable {
  var result: [String: Double]?
  var error: String?
}
func answer(_ request: Data) -> Data {
  var answer = Answer()
  do {
    let request = try JSONDecoder().decode(Request.self, from: request)
    let state = try LuaState()
    let script = try state.load(request.script, name: "=script")
    answer.result = try script(state.encode(request.input)).decode([String: Double].self)
  } catch {
    answer.error = "\(error)"
  }
  return (try? JSONEncoder().encode(answer)) ?? Data()
}

func ask(_ worker: URL, _ request: Data, within seconds: Double) throws -> Data {
  let process = Process(), input = Pipe(), output = Pipe()
  process.executableURL = worker
  process.environment = [:]
  process.standardInput = input
  process.standardOutput = output
  // A worker may end before it has read everything.
  signal(SIGPIPE, SIG_IGN)
  try process.run()
  let number = process.processIdentifier
  let deadline = DispatchWorkItem { kill(number, SIGKILL) }
  DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: deadline)
  defer {
    process.waitUntilExit()
    deadline.cancel()
  }
  try input.fileHandleForWriting.write(contentsOf: request)
  try input.fileHandleForWriting.close()
  return try output.fileHandleForReading.readToEnd() ?? Data()
}
