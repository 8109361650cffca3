import TestFolders
import Testing
import TideBindings
import TideScript

@testable import TideREPL

@Suite struct `Looking around in a session` {
  let runtime: Runtime
  let session: Session

  init() throws {
    runtime = try Runtime(file: "app.lua")
    session = try Session(runtime)
  }

  private func lines(_ text: String) -> [String] {
    switch session.run(text) {
    case .values(let lines): lines
    case .failed(let error): ["error: " + error.message]
    case .unfinished, .quit: []
    }
  }

  @Test func `variables are the session's and the app's, with their values in brief`() throws {
    #expect(lines(":vars") == ["There are no variables."])
    try runtime.evaluate("shown = { 1, 2 } long = string.rep('x', 500)", as: Value.self)
    _ = lines("local mine = 3")
    _ = lines("1 + 1")
    let found = lines(":vars")
    #expect(found.count == 3 && found[0] == "mine = 3" && found[2] == "shown = { 1, 2 }")
    #expect(found[1].hasPrefix("long = \"xxx") && found[1].count <= session.width + 1)
  }

  @Test func `the source of a function is its place and its text`() {
    _ = lines("x = 1\nfunction helper(a)\n  if a then\n    return 2\n  end\nend\ny = 2")
    let found = lines(":source helper")
    #expect(found[0].hasSuffix(":2-6") && found[0].hasPrefix("repl:"))
    #expect(
      found.dropFirst() == ["function helper(a)", "  if a then", "    return 2", "  end", "end"])
    #expect(lines(":source print")[0].contains("the source of \"print\" is not available"))
    #expect(lines(":source x") == ["error: \"x\" is 1, not a function"])
    _ = lines("Person = class 'Person' { greet = function() return 1 end } me = Person {}")
    #expect(lines(":source me:greet").count == 2)
    _ = lines("handlers = { ['a:b'] = function() return 2 end, ['c:d'] = me }")
    #expect(lines(":source handlers['a:b']").count == 2)
    #expect(lines(":source handlers['c:d']:greet").count == 2)
    #expect(lines("me.greet")[0].hasPrefix("function (repl:"))
    #expect(lines(":source") == ["error: write :source function"])
  }

  @Test func `the source of a function is found wherever it was read from`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/extra.lua"
    func source(after text: String, _ name: String) -> [String] {
      folder.write(text, to: "extra.lua")
      _ = lines(":load \(path)")
      return lines(":source \(name)")
    }
    #expect(
      source(after: "x = 1\nfunction loaded()\n  return x\nend\n", "loaded")
        == ["\(path):2-4", "function loaded()", "  return x", "end"])
    #expect(source(after: "function loaded() end\n", "loaded").last == "function loaded() end")
    let lineByLine = ["function piped(a)\n  return a\nend", "y = piped(1)"]
    var line = 1
    for text in lineByLine {
      _ = session.run(text, isComplete: false, at: ChunkOrigin(line: line, isInput: true))
      line += text.split(separator: "\n").count
    }
    let result = session.run(
      ":source piped", isComplete: false, at: ChunkOrigin(line: line, isInput: true))
    guard case .values(let found) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(found == ["repl:1-3", "function piped(a)", "  return a", "end"])
  }

  @Test func `timing stays until it is turned off`() {
    #expect(lines("1").count == 1)
    #expect(lines(":timing on") == ["Timing is on."])
    #expect(lines("1").count == 2 && lines("x = 1")[0].hasSuffix(" ms"))
    #expect(lines(":timing off") == ["Timing is off."])
    #expect(lines("1") == ["1"])
    #expect(lines(":timing perhaps")[0].contains(":timing on"))
  }

  @Test func `the history lists what was run`() {
    #expect(lines(":history") == ["Nothing was run yet."])
    for number in 1...3 { _ = lines("x = \(number)") }
    #expect(lines(":history 2") == ["2  x = 2", "3  x = 3"])
    #expect(lines(":history").count == 3)
    #expect(lines(":history x")[0].contains("write :history"))
  }

  @Test func `results have their numbers`() {
    _ = lines("1")
    #expect(session.results == 1..<2)
    _ = lines("x = 1")
    #expect(session.results.isEmpty)
    _ = lines("2, 3")
    #expect(session.results == 2..<4)
    _ = lines(":vars")
    #expect(session.results.isEmpty)
    #expect(lines("_2 + _3") == ["5"])
  }

  @Test func `colours go around keywords, texts, numbers and comments`() {
    let text = "local x = 'a' -- b"
    #expect(
      SyntaxColors.spans(of: text).map {
        String(text.utf8.dropFirst($0.range.lowerBound).prefix($0.range.count)) ?? ""
      } == ["local", "'a'", "-- b"])
    #expect(SyntaxColors.colored("nil") == "\u{1b}[35mnil\u{1b}[0m")
    #expect(SyntaxColors.spans(of: ":why fruit.name").map(\.range) == [0..<4])
    #expect(SyntaxColors.colored("x") == "x")
    for end in text.indices { _ = SyntaxColors.colored(String(text[..<end]) + "漢\"") }
  }
}
