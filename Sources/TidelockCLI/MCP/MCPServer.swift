import ArgumentParser
import Glibc
import TideREPL
import TideSystem

/// The server's side of the Model Context Protocol over standard input and output: one JSON-RPC
/// message a line, as its specification has it.
///
/// Clients of versions before 2026 agree on one by `initialize`. Later clients name their version in
/// each request, and may ask for the known ones by `server/discover`.
final class MCPServer {
  private let tools: MCPTools
  private let input = MCPInput()
  /// Requests that arrived while another one was served.
  private var waiting: [JSONValue] = []
  private var cancelled: Set<String> = []
  /// Whether the request being served names its version.
  private var isStateless = false

  /// The versions that begin with `initialize`, the latest first.
  private static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The versions that each request names.
  private static let statelessVersions = ["2026-07-28"]
  /// Further requests stay in the pipe until these are served.
  private static let mostWaiting = 1000
  private static let reserved = "io.modelcontextprotocol/"

  init(_ tools: MCPTools) { self.tools = tools }

  /// Serves until the input ends.
  func run() {
    while let message = waiting.isEmpty ? read() : waiting.removeFirst() { serve(message) }
    if input.isOverfull { refuse(.null, -32700, "a message has at most 4 MiB") }
  }

  /// The next message; nil at the end of the input. Answers lines that are no messages.
  private func read() -> JSONValue? {
    while let line = input.next(milliseconds: -1) {
      if let message = parse(line) { return message }
    }
    return nil
  }

  private func parse(_ line: [UInt8]) -> JSONValue? {
    guard let message = try? JSONValue(parsing: line, count: 100_000), message.fields != nil else {
      refuse(.null, -32700, "a message is one JSON object a line")
      return nil
    }
    return message
  }

  // MARK: Requests

  private func serve(_ message: JSONValue) {
    let id = message["id"]
    guard let method = message["method"].string else {
      // Answers to this server's requests, of which there are none.
      if message["result"].isNull, message["error"].isNull {
        refuse(id, -32600, "a request has a method")
      }
      return
    }
    if id.isNull { return note(method, message["params"]) }
    if cancelled.remove(id.text) != nil { return }
    let version = message["params"]["_meta"]["\(Self.reserved)protocolVersion"].string
    isStateless = version != nil
    if let version, !Self.statelessVersions.contains(version) {
      return refuse(id, version: version)
    }
    switch method {
    case "server/discover" where isStateless: answerList(id, discover())
    case "initialize" where !isStateless: answer(id, initialize(message["params"]))
    case "ping" where !isStateless: answer(id, [:])
    case "tools/list": answerList(id, ["tools": .array(tools.list)])
    case "tools/call": call(id, message["params"])
    case "resources/list": answerList(id, ["resources": .array(tools.resources.list)])
    case "resources/templates/list": answerList(id, ["resourceTemplates": []])
    case "resources/read":
      let uri = message["params"]["uri"].string ?? ""
      guard let contents = tools.resources.read(uri) else {
        return refuse(id, isStateless ? -32602 : -32002, "there is no resource \"\(uri)\"")
      }
      answerList(id, ["contents": [contents]])
    default: refuse(id, -32601, "there is no method \"\(method)\"")
    }
  }

  private func note(_ method: String, _ parameters: JSONValue) {
    if method == "notifications/cancelled", !parameters["requestId"].isNull {
      cancelled.insert(parameters["requestId"].text)
    }
  }

  private func initialize(_ parameters: JSONValue) -> JSONValue {
    let wanted = parameters["protocolVersion"].string ?? ""
    let version = Self.versions.contains(wanted) ? wanted : Self.versions[0]
    return [
      "protocolVersion": .string(version),
      "capabilities": Self.capabilities, "serverInfo": Self.information,
      "instructions": .string(MCPTools.instructions),
    ]
  }

  private static let capabilities: JSONValue = [
    "tools": ["listChanged": false], "resources": ["listChanged": false],
  ]
  private static let information: JSONValue = [
    "name": "tidelock", "title": "Tidelock",
    "version": .string(TidelockCommand.configuration.version),
  ]

  private func discover() -> JSONValue {
    [
      "supportedVersions": .array(Self.statelessVersions.map { .string($0) }),
      "capabilities": Self.capabilities, "instructions": .string(MCPTools.instructions),
    ]
  }

  private func refuse(_ id: JSONValue, version: String) {
    let supported = (Self.statelessVersions + Self.versions).map { JSONValue.string($0) }
    write([
      "jsonrpc": "2.0", "id": id,
      "error": [
        "code": -32022, "message": "this server does not know the version \(version)",
        "data": ["supported": .array(supported), "requested": .string(version)],
      ],
    ])
  }

  private func call(_ id: JSONValue, _ parameters: JSONValue) {
    let name = parameters["name"].string ?? ""
    guard let tool = tools.find(name) else {
      return refuse(id, -32602, tools.refusal(of: name))
    }
    let token = parameters["_meta"]["progressToken"]
    let start = ContinuousClock().now
    var told = 0.0
    let outcome = tools.call(tool, parameters["arguments"]) { [self] in
      let seconds = (ContinuousClock().now - start) / .seconds(1)
      if !token.isNull, seconds - told >= 1 {
        told = seconds
        write([
          "jsonrpc": "2.0", "method": "notifications/progress",
          "params": ["progressToken": token, "progress": .double(seconds)],
        ])
      }
      return isCancelled(id)
    }
    if cancelled.remove(id.text) != nil { return }
    answer(id, outcome)
  }

  /// Reads what has arrived while a tool runs.
  private func isCancelled(_ id: JSONValue) -> Bool {
    while waiting.count < Self.mostWaiting, let line = input.next(milliseconds: 0) {
      guard let message = parse(line) else { continue }
      if message["id"].isNull, let method = message["method"].string {
        note(method, message["params"])
      } else {
        waiting.append(message)
      }
    }
    return cancelled.contains(id.text)
  }

  // MARK: Answers

  private func answer(_ id: JSONValue, _ result: JSONValue) {
    var result = result
    if isStateless {
      result["resultType"] = "complete"
      result["_meta"] = ["\(Self.reserved)serverInfo": Self.information]
    }
    write(["jsonrpc": "2.0", "id": id, "result": result])
  }

  /// Answers with a list or a text that clients must not keep, because apps and scripts change.
  private func answerList(_ id: JSONValue, _ result: JSONValue) {
    var result = result
    if isStateless {
      result["ttlMs"] = 0
      result["cacheScope"] = "private"
    }
    answer(id, result)
  }

  private func refuse(_ id: JSONValue, _ code: Int, _ message: String) {
    write([
      "jsonrpc": "2.0", "id": id, "error": ["code": .int(code), "message": .string(message)],
    ])
  }

  private func write(_ message: JSONValue) {
    if StandardStreams.write(message.text + "\n", to: 1) != 0 { _exit(0) }
  }
}

/// The lines of standard input, for which a caller may wait or not.
final class MCPInput {
  private var lines = LineBuffer(limit: 4 << 20)
  private var hasEnded = false
  /// Whether a line was too long, which ends the input.
  private(set) var isOverfull = false

  /// - Parameter milliseconds: how long to wait for a line; -1 for ever.
  /// - Returns: nil without a line, or at the end.
  func next(milliseconds: Int32) -> [UInt8]? {
    while true {
      if let line = lines.next() { return Array(line) }
      if hasEnded { return nil }
      var polled = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, milliseconds) <= 0, milliseconds >= 0 { return nil }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = Glibc.read(0, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 {
        hasEnded = true
      } else {
        do { try lines.add(buffer.prefix(count)) } catch { (hasEnded, isOverfull) = (true, true) }
      }
    }
  }
}
