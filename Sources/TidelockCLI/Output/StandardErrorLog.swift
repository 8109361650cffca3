import Logging
import TideBindings
import TideScript
import TideSystem

/// Writes log messages to standard error, one per line: `12:00:01.250 info app: ripe fruit=apple`.
struct StandardErrorLog: LogHandler {
  let label: String
  let isJSON: Bool
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(label: String, level: Logger.Level, isJSON: Bool) {
    self.label = label
    self.isJSON = isJSON
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let merged = metadata.merging(event.metadata ?? [:]) { $1 }
    let fields = merged.sorted { $0.key < $1.key }
    _ = StandardStreams.write(
      (isJSON ? json(event, fields) : plain(event, fields)) + "\n", to: 2)
  }

  private typealias Fields = [(key: String, value: Logger.Metadata.Value)]

  private func plain(_ event: LogEvent, _ fields: Fields) -> String {
    let rest = fields.map { " \($0.key)=\($0.value)" }.joined()
    // One line per message, whatever a script writes.
    let text = "\(event.message)\(rest)".escapingControls
    return "\(Self.timeOfDay) \(event.level) \(label): \(text)"
  }

  private func json(_ event: LogEvent, _ fields: Fields) -> String {
    var object = JSONLine()
    object.add("severity", "\(event.level)")
    object.add("label", label)
    object.add("message", "\(event.message)")
    var metadata = JSONLine()
    for (key, value) in fields { metadata.add(key, "\(value)") }
    object.add("metadata", metadata)
    return object.text
  }

  private static var timeOfDay: String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    localtime_r(&now.tv_sec, &parts)
    let digits = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }
    return digits.joined(separator: ":") + "." + padded(now.tv_nsec / 1_000_000, 3)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
