import TideBindings
import TideGraph
import TideLua
import TideSystem

/// Stubs for files, programs, servers and standard input in specs.
///
/// ```lua
/// file.stub { ["notes.txt"] = "first\nsecond" }
/// process.stub { ["git status"] = "clean" }
/// ```
///
/// A stub ends with the context in which it was made, usually that of the running test.
final class SourceStubs {
  /// Whether this is the runtime of a spec.
  let isActive: Bool
  private var files: [String: FileStub] = [:]
  private var programs: [String: LuaValue] = [:]
  private var requests: [String: LuaValue] = [:]
  /// The stub's standard input; nil without a stub.
  private(set) var input: [UInt8]?

  init(isActive: Bool) { self.isActive = isActive }

  /// Throws outside of specs, where a stub has no use.
  private func requireSpec(_ name: String) throws {
    if isActive { return }
    throw TideError(
      .badArgument, "\(name) is for specs, where it stands in for the real thing")
  }

  /// Undoes a change when the open context ends.
  private func own(in runtime: Runtime, _ undo: @escaping () -> Void) {
    runtime.context.own(undo)
  }

  // MARK: Files

  func stubFiles(_ call: borrowing LuaCall, in runtime: Runtime) throws {
    try requireSpec("file.stub")
    for (key, value) in try call.table(0).entries() {
      guard case .string(let path) = key else {
        throw call.badArgument(0, "the files' paths expected as keys, found \(key.preview)")
      }
      let stub = try FileStub(value, path, runtime)
      let former = files[path]
      files[path] = stub
      former?.changed(to: stub)
      own(in: runtime) { [weak self] in
        if self?.files[path] === stub { self?.files[path] = former }
      }
    }
  }

  /// The stub of a file; nil if the real file is to be used.
  ///
  /// - Throws: `noStub` in a spec that may not use the real file.
  func file(_ path: String, _ function: String, in runtime: Runtime) throws -> FileStub? {
    guard isActive else { return nil }
    if let stub = files[path] { return stub }
    let writes = ["file.write", "file.append", "file.remove", "file.rename"].contains(function)
    let use: LuaState.FileUse = writes ? .writing : .reading
    if Self.isAllowed(path, use, in: runtime) { return nil }
    let text = writes ? "false" : "\"text\""
    throw TideError(
      .noStub,
      "\(function)(\"\(path.inMessage)\") has no stub; write file.stub { [\"\(path.inMessage)\"] = "
        + "\(text) }, or run the specs with --allow \(writes ? "write" : "read")=DIR")
  }

  private static func isAllowed(
    _ path: String, _ use: LuaState.FileUse, in runtime: Runtime
  ) -> Bool {
    switch runtime.lua.locate(path, for: use) {
    case .found(let folder, _):
      close(folder)
      return true
    case .refused: return false
    case .failed: return true
    }
  }

  /// The names of the stubs in a folder; nil if the real folder is to be used.
  func names(in folder: String, in runtime: Runtime) throws -> [String]? {
    guard isActive else { return nil }
    let start = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let found = files.keys.filter { $0.hasPrefix(start) && files[$0]?.bytes != nil }
      .map { String($0.dropFirst(start.count).prefix { $0 != "/" }) }
    if !found.isEmpty { return Set(found).sorted() }
    if Self.isAllowed(folder, .reading, in: runtime) { return nil }
    throw TideError(
      .noStub,
      "file.list(\"\(folder.inMessage)\") has no stub; write file.stub { "
        + "[\"\(start.inMessage)name\"] = \"text\" }, or run the specs with --allow read=DIR")
  }

  // MARK: Programs and requests

  func stubPrograms(_ call: borrowing LuaCall, in runtime: Runtime) throws {
    try requireSpec("process.stub")
    try add(call, to: \.programs, "the command lines", runtime)
  }

  func stubRequests(_ call: borrowing LuaCall, in runtime: Runtime) throws {
    try requireSpec("http.stub")
    try add(call, to: \.requests, "the addresses", runtime)
  }

  private func add(
    _ call: borrowing LuaCall,
    to answers: ReferenceWritableKeyPath<SourceStubs, [String: LuaValue]>, _ keys: String,
    _ runtime: Runtime
  ) throws {
    for (key, value) in try call.table(0).entries() {
      guard case .string(let name) = key else {
        throw call.badArgument(0, "\(keys) expected as keys, found \(key.preview)")
      }
      switch value {
      case .string, .bytes, .table, .function: break
      default:
        throw call.badArgument(
          0,
          "an answer is text, a table or a function, and that of \"\(name.inMessage)\" is "
            + value.preview)
      }
      let former = self[keyPath: answers][name]
      self[keyPath: answers][name] = value
      own(in: runtime) { [weak self] in self?[keyPath: answers][name] = former }
    }
  }

  /// The stub's answer to a command; nil if the real program is to run.
  ///
  /// - Parameter isAllowed: whether the real program may run.
  func program(
    _ arguments: [String], _ function: String, isAllowed: Bool
  ) throws -> LuaValue? {
    guard isActive else { return nil }
    let line = arguments.joined(separator: " ")
    if let found = Self.find(line, in: programs) ?? arguments.first.flatMap({ programs[$0] }) {
      return found
    }
    if isAllowed { return nil }
    let name = arguments.first ?? ""
    throw TideError(
      .noStub,
      "\(function) of \"\(line.inMessage)\" has no stub; write process.stub { "
        + "[\"\(line.inMessage)\"] = \"output\" }, or run the specs with --allow "
        + "run=\(name.inMessage)")
  }

  /// The stub's answer to a request; nil if the real server is to be used.
  func request(
    _ method: String, _ url: String, isAllowed: Bool, host: String
  ) throws -> LuaValue? {
    guard isActive else { return nil }
    if let found = Self.find("\(method) \(url)", in: requests) ?? Self.find(url, in: requests) {
      return found
    }
    if isAllowed { return nil }
    throw TideError(
      .noStub,
      "\(method) \(url.inMessage) has no stub; write http.stub { [\"\(url.inMessage)\"] = { "
        + "status = 200, json = … } }, or run the specs with --allow net=\(host)")
  }

  /// The entry for a text: an exact match, or else the longest pattern with a `*` that matches.
  private static func find(_ text: String, in answers: [String: LuaValue]) -> LuaValue? {
    if let found = answers[text] { return found }
    let fitting = answers.keys.filter { fits(text, $0) }
    return fitting.max { ($0.count, $0) < ($1.count, $1) }.flatMap { answers[$0] }
  }

  private static func fits(_ text: String, _ pattern: String) -> Bool {
    guard pattern.contains("*") else { return false }
    var rest = text[...]
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == 0 {
        guard rest.hasPrefix(part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if index == parts.count - 1 {
        return rest.hasSuffix(part)
      } else if !part.isEmpty {
        guard let start = rest.indices.first(where: { rest[$0...].hasPrefix(part) }) else {
          return false
        }
        rest = rest[start...].dropFirst(part.count)
      }
    }
    return rest.isEmpty
  }

  // MARK: Standard input

  func stubInput(_ call: borrowing LuaCall, in runtime: Runtime) throws {
    try requireSpec("stdin.stub")
    let former = input
    switch try call.value(0) {
    case .string(let text): input = Array(text.utf8)
    case .bytes(let bytes): input = bytes
    case .table(let table):
      let lines = try table.elements(of: "the lines of stdin.stub").map { line in
        guard case .string(let text) = line else {
          throw call.badArgument(0, "lines expected, found \(line.preview)")
        }
        return text + "\n"
      }
      input = Array(lines.joined().utf8)
    default: throw call.wrongType(0, "text or a table of lines")
    }
    own(in: runtime) { [weak self] in self?.input = former }
  }
}

/// The stub of a file.
final class FileStub {
  /// Its content; nil if there is no such file.
  private(set) var bytes: [UInt8]?
  private let function: LuaFunction?
  private var modified: Double
  private let now: () -> Double
  private var observers = NumberedList<() -> Void>()

  fileprivate init(_ value: LuaValue, _ path: String, _ runtime: Runtime) throws {
    now = { [loop = runtime.loop] in loop.wallTime() }
    modified = now()
    var given: LuaFunction?
    switch value {
    case .string(let text): bytes = Array(text.utf8)
    case .bytes(let content): bytes = content
    case .boolean(false): bytes = nil
    case .function(let body): given = body
    default:
      throw TideError(
        .badArgument,
        "the stub of \"\(path.inMessage)\" is text, false for no such file, or a function that gives "
          + "text, not \(value.preview)")
    }
    function = given
    if given != nil { bytes = [] }
  }

  /// Its current content.
  ///
  /// - Throws: the error of a missing file.
  func contents(_ path: String) throws -> [UInt8] {
    if let function {
      switch try function.call([.string(path)]).first ?? .nil {
      case .string(let text): return Array(text.utf8)
      case .bytes(let bytes): return bytes
      default: break
      }
    } else if let bytes {
      return bytes
    }
    throw TideError(.source, "\"\(path.inMessage)\": \(SystemText.of(ENOENT))")
  }

  func put(_ new: [UInt8], appending: Bool) {
    bytes = appending ? (bytes ?? []) + new : new
    change()
  }

  func remove() {
    bytes = nil
    change()
  }

  private func change() {
    modified = now()
    for tell in observers { tell() }
  }

  /// Another stub has replaced this one.
  fileprivate func changed(to other: FileStub) {
    bytes = other.bytes
    change()
    for tell in observers { _ = other.observers.append(tell) }
  }

  func information(_ runtime: Runtime) -> FileInformation? {
    bytes.map { FileInformation(size: $0.count, modified: modified) }
  }

  /// Calls a function now and after every change, until the context ends.
  func observe(in context: BindingContext, _ body: @escaping () -> Void) {
    let number = observers.append(body)
    context.own { [weak self] in self?.observers.remove(number) }
    body()
  }
}
