/// `json`: one object at the end, with a list for each way in which tests ended.
package final class JSONReport: SpecReport {
  private let writer: ReportWriter
  private var tally: Tally

  package init(_ writer: ReportWriter, _ style: ReportStyle) {
    self.writer = writer
    tally = Tally(suppressesPending: style.suppressesPending)
  }

  package var wantsTraces: Bool { true }

  package func take(_ event: SpecEvent) {
    tally.take(event)
    switch event {
    case .listed(let node): writer.write(node.listing + "\n")
    case .output(let bytes): writer.write(bytes)
    case .suiteEnd:
      var object = JSONText()
      object.add("pendings", list(tally.pendings))
      object.add("successes", list(tally.successes))
      object.add("failures", list(tally.failures))
      object.add("errors", list(tally.errors))
      object.add("duration", JSONText.number(tally.duration))
      writer.write(object.text + "\n")
    default: break
    }
  }

  private func list(_ entries: [Tally.Entry]) -> String {
    "[" + entries.map(Self.text).joined(separator: ",") + "]"
  }

  private static func text(_ entry: Tally.Entry) -> String {
    var element = JSONText()
    element.add("descriptor", JSONText.string(entry.node.descriptor))
    if let name = entry.node.name { element.add("name", JSONText.string(name)) }
    element.add("attributes", "[]")
    element.add("starttime", JSONText.number(entry.node.start))
    if let duration = entry.node.duration {
      element.add("endtime", JSONText.number(entry.node.start + duration))
      element.add("duration", JSONText.number(duration))
    }
    if let trace = entry.place { element.add("trace", text(trace)) }
    var object = JSONText()
    object.add("name", JSONText.string(entry.node.fullName))
    if let message = entry.message { object.add("message", JSONText.string(message)) }
    if let trace = entry.trace { object.add("trace", text(trace)) }
    if let seed = entry.node.seed { object.add("randomseed", "\(seed)") }
    if entry.isError { object.add("isError", "true") }
    object.add("element", element.text)
    return object.text
  }

  private static func text(_ trace: SpecTrace) -> String {
    var object = JSONText()
    object.add("source", JSONText.string(trace.source))
    object.add("short_src", JSONText.string(trace.file))
    object.add("currentline", "\(trace.line)")
    object.add("what", JSONText.string(trace.kind))
    object.add("linedefined", "\(trace.firstLine)")
    object.add("lastlinedefined", "\(trace.lastLine)")
    if let traceback = trace.traceback { object.add("traceback", JSONText.string(traceback)) }
    return object.text
  }
}

/// An object of JSON as it is built up, from members that are JSON already.
struct JSONText {
  private var members: [String] = []

  var text: String { "{" + members.joined(separator: ",") + "}" }

  mutating func add(_ name: String, _ value: String) {
    members.append(Self.string(name) + ":" + value)
  }

  static func number(_ number: Double) -> String {
    number.isFinite ? "\(number)" : "null"
  }

  static func string(_ text: String) -> String {
    var line = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": line += "\\\""
      case "\\": line += "\\\\"
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line + "\""
  }
}
