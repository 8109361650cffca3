import FoundationEssentials
import Glibc
import TideBindings
import Testing

@testable import TideREPL

@Suite struct `Commands of drive` {
  private func texts(_ commands: [DriveCommand]) -> [String] {
    commands.map { ([$0.verb.name] + $0.arguments).joined(separator: "|") }
  }

  @Test func `are separated by then`() throws {
    let words = ["tap", "add", "then", "keys", "Tab", "Enter", "then", "capture"]
    #expect(
      try texts(DriveCommand.commands(in: words)) == ["tap|add", "keys|Tab|Enter", "capture"])
  }

  @Test(arguments: [
    (#"ui.tap("add")"#, "tap|add"), (#"ui.select("list", 2)"#, "select|list|2"),
    (#"ui.press "Tab Enter""#, "keys|Tab Enter"), (#"ui.wheel("list", -3)"#, "scroll|list|-3"),
    (#"ui.type("name", "a \"b\"\n")"#, "type|name|a \"b\"\n"), ("ui.focus [[name]]", "focus|name"),
    ("tap 'the view'", "tap|the view"), (#"type name "a b""#, "type|name|a b"),
    (#"type a\ b"#, "type|a b"), ("get fruit.name # a comment", "get|fruit.name"),
    ("set fruit.n 1 + 2", "set|fruit.n|1 + 2"), ("assert fruit.n == 2", "assert|fruit.n == 2"),
  ])
  func `are lines of a shell or calls of a spec`(line: String, command: String) throws {
    #expect(try texts(DriveCommand.commands(inLine: line)) == [command])
  }

  @Test(arguments: ["", "   ", "# only a comment"])
  func `are none in an empty line`(line: String) throws {
    #expect(try DriveCommand.commands(inLine: line).isEmpty)
  }

  @Test func `have options`() throws {
    let commands = try DriveCommand.commands(in: [
      "capture", "--svg", "a.svg", "then", "wait", "x", "--timeout=2",
    ])
    #expect(commands[0].options == ["--svg": "a.svg"])
    #expect(try commands[1].timeout() == 2)
  }

  @Test(arguments: [
    ("ui.mount('app.lua')", "only in specs"), ("tapp add", "did you mean \"tap\"?"),
    ("frob", "there are"), ("tap", "write tap ID"),
    ("capture --pgn x", "did you mean \"--png\"?"), ("capture --svg", "needs a value"),
    ("capture --text=5", "has no value"),
    ("tap a then", "before and after each then"), ("tap 'a", "is not closed"),
    ("ui.tap(views.add)", "texts and numbers"), ("ui.tap(\"add\"", "in one line"),
    ("ui.type('a', '\\x41')", "escape"), ("get a b", "write get PATH"),
  ])
  func `that are wrong say what is right`(line: String, says: String) {
    let error = #expect(throws: TideError.self) { try DriveCommand.commands(inLine: line) }
    #expect(error?.code == .driveUsage)
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  /// `TIDELOCK_RECORD=1` writes the table anew.
  @Test func `are in the article as they are in the help`() throws {
    var table = "| verb | does | options |\n| --- | --- | --- |\n"
    for verb in DriveVerb.all {
      let options = verb.optionHelp.isEmpty ? "" : "`\(verb.optionHelp.dropLast())`"
      table += "| `\(verb.heading)` | \(verb.summary) | \(options) |\n"
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/TideREPL/TideREPL.docc/DrivingAnApp.md").standardized
    let article = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(article.firstRange(of: "## Every verb\n\n")).upperBound
    let end = try #require(article[start...].firstRange(of: "\n## ")).lowerBound
    if getenv("TIDELOCK_RECORD") != nil {
      return try Data((article[..<start] + table + article[end...]).utf8).write(to: file)
    }
    #expect(article[start..<end] == table, "run the tests with TIDELOCK_RECORD=1")
  }

  @Test func `of a wait have a number of seconds`() throws {
    let command = try DriveCommand.commands(in: ["wait", "x", "--timeout", "soon"])[0]
    #expect(throws: TideError.self) { try command.timeout() }
  }
}
