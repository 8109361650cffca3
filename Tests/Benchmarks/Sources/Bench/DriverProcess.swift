import Foundation

/// Runs drivers, each in a process of its own, and reads what they report.
struct DriverProcess {
  /// Where the drivers lie: beside this program.
  let folder: URL

  enum Outcome {
    case figures([String: Double])
    /// The driver is not built, or has no such workload.
    case unavailable
    case failed(String)
  }

  init() {
    folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
  }

  /// Measures a row once: the figures of the largest of its sizes that works.
  func measure(_ row: Row, milliseconds: Double) -> Outcome {
    let time = ["--milliseconds", "\(milliseconds)"]
    guard !row.sizes.isEmpty else { return run(row.program, [row.argument] + time) }
    var last: Outcome = .failed("does not work")
    for size in row.sizes {
      let outcome = run(row.program, [row.argument, "--size", "\(size)"])
      guard case .failed = outcome else {
        last = outcome
        continue
      }
      if row.sizes.count == 1 { return outcome }
      break
    }
    return last
  }

  /// Runs a driver, behind another program if one is given, and reads its report.
  func run(_ program: String, _ arguments: [String], behind wrapper: [String] = []) -> Outcome {
    let path = folder.appendingPathComponent(program).path
    guard FileManager.default.isExecutableFile(atPath: path) else { return .unavailable }
    let command = wrapper + [path] + arguments
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    // A peer that runs out of stack is a result, not worth a printed backtrace.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let output = Pipe(), errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    do { try process.run() } catch { return .failed("\(error)") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      return .failed("ended by signal \(process.terminationStatus)")
    }
    switch process.terminationStatus {
    case 0: return .figures(Self.parse(text, message))
    case 69: return .unavailable
    default: return .failed(message.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  private struct Report: Decodable {
    let measure: String
    let value: Double
  }

  private static func parse(_ text: String, _ errors: String) -> [String: Double] {
    var figures: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      guard let report = try? JSONDecoder().decode(Report.self, from: Data(line.utf8)) else {
        continue
      }
      figures[report.measure] = report.value
    }
    if let collected = errors.range(of: "Collected : ") {
      figures["instructions"] = Double(errors[collected.upperBound...].prefix { $0.isNumber })
    }
    return figures
  }
}
