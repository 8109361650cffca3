import FoundationEssentials
import TideBindings
import TideScript
import TideStore
import TideSystem
import TideTest
import Testing

@testable import TideCheck

@Suite struct `Checking texts that nobody would write` {
  private let check: ScriptCheck

  init() throws { check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL()) }

  @Test(arguments: [
    String(repeating: "(", count: 100_000),
    "return " + String(repeating: "(", count: 190) + "1" + String(repeating: ")", count: 190),
    "return " + String(repeating: "{", count: 190) + String(repeating: "}", count: 190),
    "return " + String(repeating: "not ", count: 190) + "1",
    "local a = {} return a" + String(repeating: ".a", count: 100_000),
    "local a = {} return a" + String(repeating: "()", count: 100_000),
    "return 1" + String(repeating: " + 1", count: 100_000),
    "return ''" + String(repeating: " .. ''", count: 150),
    String(repeating: "do ", count: 190) + String(repeating: "end ", count: 190),
    String(repeating: "local function f() ", count: 90) + String(repeating: "end ", count: 90),
    "if a then" + String(repeating: " elseif a then", count: 10_000) + " end",
    String(repeating: "f(function() ", count: 90)
      + String(repeating: "end)" + String(repeating: ".a", count: 490) + "() ", count: 90),
    "return " + String(repeating: "{[a" + String(repeating: ".a", count: 490) + "]=", count: 90)
      + "1" + String(repeating: "}", count: 90),
    "return " + String(repeating: "{[", count: 90) + "1"
      + String(repeating: "]=1}", count: 90),
    String(repeating: "if a then ", count: 190) + "a" + String(repeating: ".a", count: 490) + "() "
      + String(repeating: "end ", count: 190),
    String(repeating: "repeat ", count: 190)
      + String(repeating: "until a" + String(repeating: ".a", count: 490) + " ", count: 190),
    "--[==[", "'", "\"\\", "[[", "return '\\u{7FFFFFFF}\\xff\\z  \\\n'", "#!shell\nreturn 1",
    "bind '" + String(repeating: "a.", count: 50_000) + "a -> b'", "\0", "x = '\0'",
  ])
  func `it ends, with a problem or none`(text: String) {
    for problem in check.check(text, path: "app.lua") {
      #expect(!problem.error.message.isEmpty)
      #expect(problem.error.code != .unexpected)
    }
  }

  @Test(arguments: [
    ("local x = x", 60_000),
    ("local C = class('C', C) { f = function(self) return self.a end }", 14_000),
  ])
  func `a chain of variables of any length can be released`(link: String, count: Int) throws {
    // The interpreter accepts at most 200 in one function, so it is left out.
    let bytes = Array(String(repeating: link + "\n", count: count).utf8)
    var parser = try LuaParser(bytes)
    let script = Script(
      LuaSource(path: "app.lua", bytes: bytes), try parser.script(), isSpec: false)
    let names = try KnownNames()
    DeclarationCollector.take(script, names: names)
    let index = AppIndex(
      [script], script.symbols, names: names, finder: ScriptFinder(), modules: [:])
    _ = ScriptChecker(script, names: names, of: index).check()
  }

  @Test func `the text after a mistake is not read to find its column`() throws {
    let refused = (0..<201).map { "local v\($0) = 1\n" }.joined()
    let text = Array((refused + String(repeating: "f() ", count: 100_000)).utf8)
    let source = LuaSource(path: "app.lua", bytes: text)
    let error = TideError(
      .scriptSyntax, "too many local variables",
      location: SourceLocation(file: "app.lua", line: 201))
    let whole = try processorTime {
      var parser = try LuaParser(text)
      _ = try parser.script()
    }
    let part = processorTime { _ = SyntaxErrorLocator.located(error, in: source) }
    #expect(part * 3 < whole)
  }

  @Test func `thousands of visible variables are looked up quickly`() throws {
    func time(_ count: Int) throws -> Double {
      let text = (0..<count).map { "local v\($0) = missing " }.joined()
      return try processorTime {
        var parser = try LuaParser(Array(text.utf8))
        _ = try parser.script()
      }
    }
    // Ten times the names must not cost a hundred times the work.
    #expect(try time(20_000) < time(2_000) * 30)
  }

  /// Scripts with any number of names, by what has the names.
  private static func script(_ kind: String, names count: Int) -> String {
    let numbers = 0..<count
    switch kind {
    case "notifications":
      return numbers.map {
        "notification.post('post\($0)x') notification.observe('seen\($0)y', print)\n"
      }
      .joined()
    case "tables":
      return "local db = store.open('n.db')\ndb:migrate { 'CREATE TABLE note (id)' }\n"
        + numbers.map {
          "do local parts\($0) = { 'a' } table.insert(parts\($0), 'b')\n"
            + "db:run('SELECT ' .. table.concat(parts\($0))) end\n"
        }
        .joined()
    case "assignments":
      let elements = String(repeating: "t[1] = 0 ", count: 40)
      return "local t = {}\nprint(t)\n"
        + numbers.map {
          "model 'm\($0)' { p\($0) = property { type = 'object' } }\n"
            + "models.m\($0).p\($0) = { a = 1 }\nprint(models.m\($0).p\($0).a)\n\(elements)\n"
        }
        .joined()
    default:
      let parameters = numbers.map { ":n\($0)" }.joined(separator: ", ")
      let values = numbers.map { "n\($0) = 1" }.joined(separator: ", ")
      return "local db = store.open('n.db')\ndb:migrate { 'CREATE TABLE note (id)' }\n"
        + "db:run('DELETE FROM note WHERE id IN (\(parameters))', { \(values) })"
    }
  }

  @Test(arguments: [
    ("notifications", 300), ("assignments", 150), ("parameters", 800), ("tables", 150),
  ])
  func `thousands of names are compared quickly`(kind: String, count: Int) {
    func time(_ count: Int) -> Double {
      let text = Self.script(kind, names: count)
      return processorTime { #expect(check.check(text, path: "app.lua").isEmpty) }
    }
    // Ten times the names must not cost a hundred times the work.
    #expect(time(count * 10) < time(count) * 30, "\(kind)")
  }

  @Test func `texts that are put together from each other are read once`() {
    let sums = (1..<60).map { "local s\($0) = s\($0 - 1) .. s\($0 - 1) .. s\($0 - 1) .. 'x'\n" }
    let text =
      "local db = store.open('n.db')\ndb:migrate { 'CREATE TABLE note (id)' }\nlocal s0 = arg[1]\n"
      + sums.joined() + "db:run('SELECT ' .. s10)\nprint(s59)"
    // Reading each text three times for each that contains it would never end.
    let found = check.check(text, path: "app.lua")
    #expect(found.map(\.error.code).contains(.composedSQL))
  }

  @Test func `a text that is too deep to follow is reported`() {
    let deep = "local a = {} return a" + String(repeating: "()", count: 10_000)
    let found = check.check(deep, path: "app.lua")
    #expect(found.map(\.error.code) == [.notChecked])
    #expect(found.map(\.severity) == [.warning])
  }

  @Test func `a large text is checked for its syntax`() {
    let large = String(repeating: "x = { 1, 2, 3, 'text' }\n", count: (10 << 20) / 24)
    #expect(check.check(large, path: "app.lua").map(\.error.code) == [.notChecked])
    #expect(check.check(large + "x = =", path: "app.lua").map(\.error.code) == [.scriptSyntax])
  }

  @Test(arguments: ["fruit", "todo"])
  func `an example cut anywhere does not trap`(name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "examples/\(name)/app.lua")
    let bytes = Array(try String(contentsOf: file, encoding: .utf8).utf8)
    // Every byte of the short one, and as many of the long one.
    for end in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 1200)) {
      let text = String(decoding: bytes[..<end], as: UTF8.self)
      for problem in check.check(text, path: "app.lua") {
        #expect(problem.error.code != .unexpected)
        #expect(problem.error.code != .notChecked)
      }
    }
    #expect(check.check(String(decoding: bytes, as: UTF8.self), path: "app.lua").isEmpty)
  }
}

/// The seconds that this thread needs, at the least of three runs. Other programs do not count, but
/// the first run fills caches.
private func processorTime<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure)
  -> Double
{
  var least = Double.infinity
  for _ in 0..<3 {
    let start = EventLoop.threadTime()
    try body()
    least = min(least, EventLoop.threadTime() - start)
  }
  return least
}
