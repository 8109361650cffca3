import TideSystem
import TideScript

/// `json`: one object at the end, with a list of tests for each status.
package final class JSONReport: SpecReport {
  private let writer: ReportWriter
  private var tally: Tally

  package init(_ writer: ReportWriter, _ style: ReportStyle) {
    self.writer = writer
    tally = Tally(style)
  }

  package var wantsTraces: Bool { true }

  package func take(_ event: SpecEvent) {
    tally.take(event)
    switch event {
    case .listed(let node): writer.write(node.listing + "\n")
    case .output(let bytes): writer.pass(bytes)
    case .suiteEnd:
      var object = JSONLine()
      object.add("pendings", tally.pendings.map(Self.object))
      object.add("successes", tally.successes.map(Self.object))
      object.add("failures", tally.failures.map(Self.object))
      object.add("errors", tally.errors.map(Self.object))
      object.add("duration", tally.duration)
      let flaky = tally.flaky.count
      if flaky > 0 { object.add("flaky", flaky) }
      writer.write(object.text + "\n")
    default: break
    }
  }

  private static func object(_ entry: Tally.Entry) -> JSONLine {
    var element = JSONLine()
    element.add("descriptor", entry.node.descriptor)
    if let name = entry.node.name { element.add("name", name) }
    element.add("attributes", [String]())
    element.add("starttime", entry.node.start)
    if let duration = entry.node.duration {
      element.add("endtime", entry.node.start + duration)
      element.add("duration", duration)
    }
    if let trace = entry.origin { element.add("trace", object(trace)) }
    var object = JSONLine()
    object.add("name", entry.node.fullName)
    if let message = entry.message { object.add("message", message) }
    if let trace = entry.trace { object.add("trace", self.object(trace)) }
    if let seed = entry.node.seed { object.add("randomseed", seed) }
    if entry.isError { object.add("isError", true) }
    if !entry.node.failedAttempts.isEmpty {
      object.add("failedAttempts", entry.node.failedAttempts)
    }
    if !entry.node.artifacts.isEmpty { object.add("artifacts", entry.node.artifacts) }
    object.add("element", element)
    return object
  }

  private static func object(_ trace: SpecTrace) -> JSONLine {
    var object = JSONLine()
    object.add("source", trace.source)
    object.add("short_src", trace.file)
    object.add("currentline", trace.line)
    object.add("what", trace.kind)
    object.add("linedefined", trace.firstLine)
    object.add("lastlinedefined", trace.lastLine)
    if let traceback = trace.traceback { object.add("traceback", traceback) }
    return object
  }
}
