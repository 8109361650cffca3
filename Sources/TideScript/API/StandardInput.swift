import TideBindings
import TideGraph
import TideLua
import TideSystem

extension Runtime {
  /// `stdin.lines(options)`, `stdin.read()`: standard input.
  func installStandardInput() throws {
    try publishTable(
      "stdin",
      [
        .stdinLines: { [unowned self] call in try inputLines(call) },
        .stdinRead: { [unowned self] call in try readInput(call) },
        .stdinStub: { [unowned self] call in try stubs.stubInput(call, in: self) },
      ])
  }

  /// The reader of the process's input, which is created only once and survives reloads.
  private func requireInput(_ function: String) throws -> InputReader {
    if let input = sources.input { return input }
    if stubs.isActive, stubs.input == nil {
      throw TideError(
        .noStub, "\(function) has no stub; write stdin.stub { \"first line\", \"second line\" }")
    }
    guard let descriptor = configuration.standardInput else {
      throw TideError(
        .source,
        "there is no standard input to read: it is the terminal, whose keys are the app's; pipe "
          + "something in, as in: tail -f log | tidelock run app.lua")
    }
    let input = InputReader(descriptor, in: self)
    sources.input = input
    return input
  }

  private func inputLines(_ call: borrowing LuaCall) throws {
    let options = try CallOptions(call, of: "stdin.lines")
    let list = StreamList(limit: try options.limit())
    let name = try options.name()
    try charge(Weight.task + Weight.list)
    let feed = LineFeed(list, in: self)
    if let text = stubs.input {
      list.source = GivenStream(feed, text, in: self)
      try begin(list, named: name)
    } else {
      let input = try requireInput("stdin.lines")
      list.source = input
      if let name { try nameModel(list, name) }
      try input.feed(feed, in: self)
    }
    try call.return(luaValue(list))
  }

  private func readInput(_ call: borrowing LuaCall) throws {
    if !call.isNil(0) { throw call.badArgument(0, "stdin.read takes no arguments") }
    if let text = stubs.input {
      return try wait(call, forStub: "stdin.read") { _ in [Self.luaText(text)] }
    }
    let input = try requireInput("stdin.read")
    try wait(call, forSource: "stdin.read") { completion in
      try input.readAll(completion)
    }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let stdin = APIEntry(
    "stdin", usage: "stdin.lines()", "What comes in by standard input, as from a pipe.")

  static let stdinLines = APIEntry(
    "stdin.lines(options)", usage: "stdin.lines([options])",
    "A stream of the lines of standard input.",
    """
    @param options? tidelock.LinesOptions
    @return tidelock.Stream
    """)
  static let stdinRead = APIEntry(
    "stdin.read()", "Waits for all of standard input.",
    """
    @return string
    """)
  static let stdinStub = APIEntry(
    "stdin.stub(text)", usage: "stdin.stub { lines }",
    "In a spec: what comes in by standard input.",
    """
    @param text string|string[]
    """)
}

extension APISection {
  static let standardInput = APISection(
    article: "LiveData",
    entries: [.stdin, .stdinLines, .stdinRead, .stdinStub])
}
