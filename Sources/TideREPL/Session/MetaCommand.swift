/// A command to the prompt itself: `:help`, `:why fruit.name`.
struct MetaCommand: Sendable {
  let name: String
  /// The arguments' syntax, for the help.
  let usage: String
  let summary: String
  /// The kind of argument, for completion.
  let argument: Argument
  let run: @Sendable (Session, String) throws -> ChunkResult

  enum Argument: Sendable {
    case none, path, module, file, code, name
    /// One of a fixed set of words.
    case choice([String])
  }

  init(
    _ name: String, _ usage: String = "", _ argument: Argument = .none, _ summary: String,
    _ run: @escaping @Sendable (Session, String) throws -> ChunkResult
  ) {
    self.name = name
    self.usage = usage
    self.argument = argument
    self.summary = summary
    self.run = run
  }

  /// The text without leading blanks if it is a command or empty; nil for Lua.
  static func text(in text: String) -> String? {
    let trimmed = text.drop(while: \.isWhitespace)
    return trimmed.isEmpty || trimmed.first == ":" && !trimmed.hasPrefix("::")
      ? String(trimmed) : nil
  }

  /// Whether it concerns files or programs on the user's side of an attached session.
  var isAtPrompt: Bool {
    if case .file = argument { true } else { name == "edit" }
  }

  /// Splits a line into its command and argument; nil for an unknown command.
  static func find(in line: String) -> (command: MetaCommand, argument: String)? {
    let line = line.drop(while: \.isWhitespace).dropFirst()
    let name = line.prefix { !$0.isWhitespace }
    let known = name == "q" || name == "exit" ? "quit" : name
    guard let command = all.first(where: { $0.name == known }) else { return nil }
    var argument = line.dropFirst(name.count).drop(while: \.isWhitespace)
    while argument.last?.isWhitespace == true { argument.removeLast() }
    return (command, String(argument))
  }

  /// Whether a required argument is missing.
  func isCut(_ argument: String) -> Bool {
    argument.isEmpty && !usage.isEmpty && !usage.hasPrefix("[")
  }

  var heading: String { ":\(name)\(usage.isEmpty ? "" : " " + usage)" }

  /// All commands, in the order of the help.
  static let all: [MetaCommand] = [
    MetaCommand("help", "[name]", .name, "what there is, or what a name stands for") {
      try $0.help($1)
    },
    MetaCommand("models", "", "the models and their values") { session, _ in
      try session.listModels()
    },
    MetaCommand("views", "", "the tree of views") { session, _ in try session.listViews() },
    MetaCommand("bindings", "[path]", .path, "all bindings, or those of a property") {
      try $0.listBindings($1)
    },
    MetaCommand("deps", "path", .path, "what a property depends on, and what depends on it") {
      try $0.listDependencies($1)
    },
    MetaCommand("why", "path", .path, "the causes that put a value where it is") {
      try $0.explain($1)
    },
    MetaCommand("watch", "expression", .path, "tell of each change of a property or an expression")
    {
      try $0.watch($1)
    },
    MetaCommand("unwatch", "[expression]", .path, "no longer") { try $0.unwatch($1) },
    MetaCommand("errors", "", "what has failed and still does") { session, _ in
      try session.listErrors()
    },
    MetaCommand("reload", "[module]", .module, "run the app's scripts anew, keeping its state") {
      try $0.reload($1)
    },
    MetaCommand("reset", "", "start the app anew, without its state") { session, _ in
      try session.reset()
    },
    MetaCommand("set", "path value", .path, "set a property to a value") { try $0.set($1) },
    MetaCommand("undo", "", "take the last :set back, unless the value was written since") {
      session, _ in try session.undo()
    },
    MetaCommand("time", "code", .code, "how long code takes") { try $0.time($1) },
    MetaCommand(
      "profile", "[code]", .code, "where the time goes: of code, or until :profile comes again"
    ) { try $0.profile($1) },
    MetaCommand(
      "timing", "[on|off]", .choice(["on", "off"]), "tell after each chunk how long it took"
    ) { try $0.setTiming($1) },
    MetaCommand("vars", "", "the variables of the session and the app") { session, _ in
      try session.listVariables()
    },
    MetaCommand("source", "function", .code, "where a function is written, and its text") {
      try $0.showSource($1)
    },
    MetaCommand("history", "[count]", .none, "what was run in this session") {
      try $0.listHistory($1)
    },
    MetaCommand("mem", "", "the memory in use") { session, _ in try session.showMemory() },
    MetaCommand("load", "file", .file, "run a script in this session") { try $0.load($1) },
    MetaCommand("edit", "", "write a chunk in $EDITOR") { session, _ in try session.edit() },
    MetaCommand("save", "file", .file, "write what was run to a file") { try $0.save($1) },
    MetaCommand("stop", "[code]", .none, "end the app, with an exit code") { try $0.stopApp($1) },
    MetaCommand("quit", "", "leave; also :q, :exit, exit, quit and Ctrl-D") { _, _ in .quit },
  ]

  init(
    _ name: String, _ usage: String, _ summary: String,
    _ run: @escaping @Sendable (Session, String) throws -> ChunkResult
  ) {
    self.init(name, usage, .none, summary, run)
  }
}
