import Logging
import TideBindings
import TideGraph
import TideLua

extension Runtime {
  func installLog() throws {
    let table = try lua.table()
    for level in Logger.Level.allCases where level != .critical {
      try table.rawSet(
        .string(level.rawValue),
        .function(
          function(named: "log.\(level.rawValue)") { [unowned self] call in
            try log(level, call)
          }))
    }
    try publish("log", .table(table.sealed(as: "log")))
    try define("dump") { [unowned self] call in
      var seen: Set<ObjectIdentifier> = []
      call.return(try dump(call.value(0), indent: "", &seen))
    }
  }

  private func log(_ level: Logger.Level, _ call: borrowing LuaCall) throws {
    guard let logger = configuration.logger, logger.logLevel <= level else { return }
    guard admitLogLine(to: logger) else { return }
    var metadata: Logger.Metadata = [:]
    if !call.isNil(1) {
      for (key, value) in try call.table(1).entries() {
        metadata[key.string ?? key.preview] = "\(try lua.describe(value))"
      }
    }
    if let location { metadata["location"] = "\(location)" }
    let message = try lua.describe(call.value(0))
    logger.log(level: level, "\(message)", metadata: metadata)
  }

  /// Whether another line may be logged now. The first that may not sees to it that the number of
  /// those is told, once the second is over.
  private func admitLogLine(to logger: Logger) -> Bool {
    if logGate.admit(at: loop.now()) { return true }
    if logGate.dropped == 1 {
      loop.after(1, keepsRunning: false) { [unowned self] in reportDroppedLines() }
    }
    return false
  }

  /// Tells how many lines were not logged, if any.
  func reportDroppedLines() {
    let count = logGate.takeDropped()
    if count == 0 { return }
    configuration.logger?.warning(
      "\(count) lines were not logged: there may be \(configuration.limits.logLines) a second; raise the limit \"logLines\" to see them"
    )
  }

  /// A value as readable text, cycles marked.
  private func dump(
    _ value: LuaValue, indent: String, _ seen: inout Set<ObjectIdentifier>
  ) throws -> String {
    switch value {
    case .string(let text): return TransformCall.quoted(text)
    case .object(let object):
      guard let object = object.dataObject else { return "an object that is gone" }
      guard seen.insert(ObjectIdentifier(object)).inserted else { return "\(object.label) (cycle)" }
      defer { seen.remove(ObjectIdentifier(object)) }
      return try dump(object, indent: indent, &seen)
    case .table(let table):
      guard indent.count < 40 else { return "{…}" }
      return try dump(
        table.entries().map { ($0.key.string ?? "[\($0.key.preview)]", $0.value) }
          .sorted { $0.0 < $1.0 }, indent: indent, &seen)
    default: return try lua.describe(value)
    }
  }

  private func dump(
    _ object: DataObject, indent: String, _ seen: inout Set<ObjectIdentifier>
  ) throws -> String {
    if let list = object as? ValueList {
      let values = try list.values.prefix(100).map { try luaValue($0) }
      let lines = try values.map { try dump($0, indent: indent + "  ", &seen) }
      return "list {" + lines.map { "\n\(indent)  \($0)," }.joined()
        + (lines.isEmpty ? "}" : "\n\(indent)}")
    }
    let names = object.shape.properties.map(\.name).sorted()
    let fields = try names.map { ($0, try luaValue(object[$0])) }
    return "\(object.label) " + (try dump(fields, indent: indent, &seen))
  }

  private func dump(
    _ fields: [(String, LuaValue)], indent: String, _ seen: inout Set<ObjectIdentifier>
  ) throws -> String {
    if fields.isEmpty { return "{}" }
    let lines = try fields.map { name, value in
      "\n\(indent)  \(name) = \(try dump(value, indent: indent + "  ", &seen)),"
    }
    return "{\(lines.joined())\n\(indent)}"
  }
}
