import Glibc
import TideBindings
import TideCheck
import TideREPL
import TideScript
import TideSystem
import TideTerminal
import TideTest

/// The tools of `tidelock mcp`, which work on one app.
///
/// The app is found at the first call that needs it, and again after it has ended, so that it may be
/// started later and anew.
final class MCPTools {
  let resources = MCPResources()
  private let name: String?
  private let isReadOnly: Bool
  private var client: AttachClient?
  private var printed: [String] = []

  static let instructions = """
    Work on a Tidelock app: a Lua script of models, views and bindings that is running. Look with tree, \
    capture, get, why and errors; act with verbs as a person would; edit the app's files, which reload \
    when they are saved, and read reload_status and errors afterwards; check finds mistakes without \
    running. The reference knows every name of the API.
    """

  /// The most bytes of one page of an answer.
  private static let pageSize = 32 << 10
  private static let largestPicture = 1 << 20
  private static let mostPrinted = 10_000
  /// How long an app may take for an answer, in seconds.
  private static let patience = 30.0

  init(app name: String?, isReadOnly: Bool) {
    self.name = name
    self.isReadOnly = isReadOnly
    resources.files = { [unowned self] in (try? status()["files"].array?.compactMap(\.string)) ?? []
    }
  }

  private var offered: [MCPTool] { MCPTool.all.filter { $0.isReadOnly || !isReadOnly } }

  var list: [JSONValue] { offered.map(\.json) }

  func find(_ name: String) -> MCPTool? { offered.first { $0.name == name } }

  func refusal(of name: String) -> String {
    if MCPTool.all.contains(where: { $0.name == name }) {
      return "\(name) may change something, which --read-only does not allow"
    }
    return "there is no tool \"\(name)\""
      + NearestName.hintOrNames(for: name, in: offered.map(\.name))
  }

  /// Calls a tool. Failures are results, so that the assistant reads them.
  ///
  /// - Parameter isCancelled: asked several times a second.
  func call(
    _ tool: MCPTool, _ arguments: JSONValue, isCancelled: @escaping () -> Bool
  ) -> JSONValue {
    if let problem = tool.problem(in: arguments) { return failure(problem) }
    do {
      if tool.name == "capture", arguments["format"].string == "png" {
        return ["content": [try picture(arguments["id"].string, isCancelled)]]
      }
      let text = try result(of: tool.name, arguments, isCancelled)
      return [
        "content": [["type": "text", "text": .string(page(of: text, arguments["page"].int ?? 1))]]
      ]
    } catch let error as ToolFailure {
      return failure(error.text)
    } catch {
      if (error as? TideError)?.code == .attach { client = nil }
      return failure(Diagnostic(describing: error).text())
    }
  }

  private struct ToolFailure: Error {
    let text: String
  }

  private func failure(_ text: String) -> JSONValue {
    ["content": [["type": "text", "text": .string(page(of: text, 1))]], "isError": true]
  }

  /// A page of a long text, which ends with how many there are.
  private func page(of text: String, _ number: Int) -> String {
    let bytes = Array(text.utf8)
    if bytes.count <= Self.pageSize, number == 1 { return text }
    let count = max(1, (bytes.count + Self.pageSize - 1) / Self.pageSize)
    guard (1...count).contains(number) else { return "There are \(count) pages." }
    // A character that begins on a page ends there.
    func boundary(_ page: Int) -> Int {
      var index = min(page * Self.pageSize, bytes.count)
      while index > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
      return index
    }
    let part = bytes[boundary(number - 1)..<boundary(number)]
    return String(decoding: part, as: UTF8.self) + "\n(page \(number) of \(count))"
  }

  private func result(
    of tool: String, _ arguments: JSONValue, _ isCancelled: @escaping () -> Bool
  ) throws -> String {
    func text(_ name: String) -> String { arguments[name].string ?? "" }
    let id = arguments["id"].string.map { [$0] } ?? []
    switch tool {
    case "tree": return try drive(["tree"] + id, isCancelled).json
    case "capture":
      switch arguments["format"].string ?? "text" {
      case "text": return try drive(["capture"] + id, isCancelled).text
      case "svg": return try drive(["capture", "--svg", "-"] + id, isCancelled).text
      case let other: throw ToolFailure(text: "the format is text, svg or png, not \"\(other)\"")
      }
    case "act":
      var lines: [String] = []
      for line in arguments["verbs"].array?.compactMap(\.string) ?? [] {
        for command in try DriveCommand.commands(inLine: line) {
          do {
            let answer = try drive(command, isCancelled)
            lines.append("\(line): \(answer.text.isEmpty ? "done" : answer.text)")
          } catch let failure as ToolFailure {
            throw ToolFailure(text: (lines + ["\(line): \(failure.text)"]).joined(separator: "\n"))
          }
        }
      }
      return lines.joined(separator: "\n")
    case "get": return try drive(["get", text("path")], isCancelled).json
    case "set":
      _ = try drive(["set", text("path"), text("value")], isCancelled)
      return try drive(["get", text("path")], isCancelled).json
    case "evaluate": return try drive(["eval", text("code")], isCancelled).json
    case "why": return try drive(["why", text("path")], isCancelled).text
    case "errors":
      let errors = try drive(["errors"], isCancelled).text
      return errors.isEmpty ? "There are no errors." : errors
    case "wait":
      let seconds = arguments["timeout"].double ?? 10
      _ = try drive(["wait", text("expression"), "--timeout", "\(seconds)"], isCancelled)
      return "It is true."
    case "reload_status": return try drive(["status"], isCancelled).json
    case "check": return try check(arguments["paths"].array?.compactMap(\.string))
    case "test": return try test(arguments["filter"].string, isCancelled)
    case "logs":
      _ = try attached()
      defer { printed = [] }
      return printed.isEmpty ? "Nothing was printed." : printed.joined(separator: "\n")
    default: return reference(text("query"))
    }
  }

  /// The picture as an image.
  private func picture(
    _ id: String?, _ isCancelled: @escaping () -> Bool
  ) throws -> JSONValue {
    if id != nil { throw ToolFailure(text: "a picture of one view is text; leave out \"id\"") }
    let svg = try drive(["capture", "--svg", "-"], isCancelled).text
    let bytes = try PNGConverter.bytes(of: svg)
    guard bytes.count <= Self.largestPicture else {
      throw ToolFailure(text: "the picture has \(bytes.count >> 10) KiB; take text or svg")
    }
    return [
      "type": "image", "data": .string(String(decoding: Base64.encoded(bytes), as: UTF8.self)),
      "mimeType": "image/png",
    ]
  }

  // MARK: The app

  private func attached() throws -> AttachClient {
    if let client {
      do {
        try client.readWhatIsThere()
        return client
      } catch {
        // It has ended meanwhile, and may have been started anew.
        self.client = nil
      }
    }
    let made = try AttachClient(RunningApp.find(name))
    made.onMessage = { [unowned self] message in
      guard message.kind == "output" || message.kind == "notice", let text = message.text("text")
      else { return }
      if printed.count >= Self.mostPrinted { printed.removeFirst(Self.mostPrinted / 2) }
      printed.append(text)
    }
    client = made
    return made
  }

  private typealias Answer = (text: String, json: String)

  private func drive(_ words: [String], _ isCancelled: @escaping () -> Bool) throws -> Answer {
    try drive(DriveCommand.commands(in: words)[0], isCancelled)
  }

  private func drive(
    _ command: DriveCommand, _ isCancelled: @escaping () -> Bool
  ) throws -> Answer {
    if isReadOnly, !command.verb.isLooking {
      throw ToolFailure(
        text: "\(command.verb.name) may change something, which --read-only refuses")
    }
    let client = try attached()
    var isStopped = false
    let answer = try client.ask(
      command.request, seconds: Self.patience + (command.timeout() ?? 10)
    ) {
      guard isCancelled(), !isStopped else { return }
      isStopped = true
      try client.interrupt()
    }
    guard let answer else {
      throw ToolFailure(text: "\(client.name) does not answer \(command.verb.name)")
    }
    if answer["error"] != nil { throw ToolFailure(text: answer.diagnosticText(style: .plain)) }
    let lines = (answer.texts("lines") ?? []).joined(separator: "\n")
    return (lines, answer.text("value") ?? lines)
  }

  private func status() throws -> JSONValue {
    let text = try drive(["status"]) { false }.json
    return (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }

  /// The folder of the app's main script.
  private func folder() throws -> String {
    SystemPath.folder(of: try status()["script"].string ?? "./app.lua")
  }

  /// The names of the API, and the verbs of `act`.
  private func reference(_ query: String) -> String {
    let verbs = DriveVerb.all.filter { $0.name == query || query == "verbs" }
    let lines = verbs.map { "\($0.heading)  \($0.summary) A verb of act." }
    if query == "verbs" { return lines.joined(separator: "\n") }
    let found = PromptHelp.index.search(query)
    // The only line says that nothing was found.
    let isUnknown = found.count == 1 && found[0].hasPrefix("Nothing is known")
    return (lines + (isUnknown && !lines.isEmpty ? [] : found)).joined(separator: "\n")
  }

  // MARK: Scripts

  private func check(_ paths: [String]?) throws -> String {
    let check = try ScriptCheck(specs: .tidelock, sql: CheckedAppOptions.sql)
    let problems = try check.run(try paths ?? [folder()]).flatMap(\.problems)
    if problems.isEmpty { return "Nothing was found." }
    return problems.map { $0.diagnostic.text() }.joined(separator: "\n")
  }

  private func test(_ filter: String?, _ isCancelled: () -> Bool) throws -> String {
    let arguments =
      ["test", "--directory", try folder()] + (filter.map { ["--filter", $0] } ?? [])
    let run = try ProgramRun(arguments)
    while !run.readMore(milliseconds: 100) { if isCancelled() { run.end() } }
    let text = run.text
    if run.status != 0 { throw ToolFailure(text: text) }
    return text
  }
}

/// A run of this program whose output is read.
private final class ProgramRun {
  private var process: pid_t = 0
  private let channel: Int32
  private var bytes: [UInt8] = []
  private(set) var status: Int32 = 0

  private static let most = 4 << 20

  init(_ arguments: [String]) throws(TideError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw TideError(.output, "no pipe can be made: \(SystemText.of(errno))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    channel = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    var strings: [UnsafeMutablePointer<CChar>?] =
      (["tidelock"] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    let failure = posix_spawn(&process, "/proc/self/exe", &actions, nil, &strings, environ)
    close(ends[1])
    if failure != 0 {
      throw TideError(.output, "the tests cannot be started: \(SystemText.of(failure))")
    }
  }

  deinit { close(channel) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func end() { kill(process, SIGTERM) }

  /// Reads what has arrived. Returns true at the end.
  func readMore(milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    if poll(&polled, 1, milliseconds) <= 0 { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(channel, &buffer, buffer.count)
    if count < 0, errno == EINTR { return false }
    if count > 0 {
      if bytes.count < Self.most { bytes += buffer.prefix(count) }
      return false
    }
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return true
  }
}
