import Logging
import TideLua

extension Runtime {
  func installLog() throws {
    let table = try lua.table()
    for level in Logger.Level.ofScripts {
      try table.rawSet(
        .string(level.rawValue),
        .function(
          function(APIEntry.log(level).signature) { [unowned self] call in try log(level, call) }))
    }
    try publish("log", .table(sealed(table, as: "log")))
    try define(.dump) { [unowned self] call in
      var dump = ValueDump(in: self)
      call.return(try dump.text(of: call.value(0)))
    }
  }

  private func log(_ level: Logger.Level, _ call: borrowing LuaCall) throws {
    guard call.isNil(1) || call.tag(1) == LuaTag.table else { throw call.wrongType(1, "table") }
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

  /// Whether another line may be logged now. The first refused line schedules a report of how many
  /// were dropped.
  private func admitLogLine(to logger: Logger) -> Bool {
    if errorLog.gate.admit(at: loop.now()) { return true }
    if errorLog.gate.dropped == 1 {
      loop.after(1, keepsRunning: false) { [home] in home.runtime?.reportDroppedLines() }
    }
    return false
  }

  /// Logs the number of dropped lines, if any.
  func reportDroppedLines() {
    let count = errorLog.gate.takeDropped()
    if count == 0 { return }
    configuration.logger?.warning(
      "\(count) lines were not logged: there may be \(configuration.limits.logLines) a second; raise the limit \"logLines\" to see them"
    )
  }
}

/// Admits a number of lines per second, and counts the others.
///
/// ```swift
/// var gate = LogGate(limit: 2)
/// gate.admit(at: 0)     // true, and once more; then false until second 1
/// gate.takeDropped()    // how many were refused since it was asked last
/// ```
struct LogGate {
  private let limit: Int
  private var second = -Double.infinity
  private var passed = 0
  private(set) var dropped = 0

  init(limit: Int) { self.limit = limit }

  /// Whether another line may pass at a time in seconds. Times must not decrease.
  mutating func admit(at time: Double) -> Bool {
    if time >= second + 1 {
      second = time
      passed = 0
    }
    if passed < limit {
      passed += 1
      return true
    }
    dropped += 1
    return false
  }

  mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }
}

extension Logger.Level {
  /// The levels available to scripts.
  fileprivate static let ofScripts = allCases.filter { $0 != .critical }
}

// MARK: Catalogue

extension APIEntry {
  static let log = APIEntry(
    "log", usage: "log.info(message, fields)", "Writes to the host's log.")

  static func log(_ level: Logger.Level) -> APIEntry {
    APIEntry(
      "log.\(level.rawValue)(message, fields)",
      "Writes a line of level \(level.rawValue) to the host's log.",
      """
      @param message any
      @param fields? table
      """)
  }

  static let dump = APIEntry(
    "dump(value)",
    "Readable text of any value.",
    """
    @param value any
    @return string
    """)
}

extension APISection {
  static let log = APISection(
    article: "Errors",
    entries: [.log] + Logger.Level.ofScripts.map { .log($0) } + [.dump])
}
