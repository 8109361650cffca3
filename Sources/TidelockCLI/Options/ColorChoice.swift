import ArgumentParser
import Logging
import TideScript
import TideSystem

/// When to use colours: `--color auto`, `always` or `never`.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// The setting for renderers: nil to decide by the environment.
  var forRenderer: Bool? {
    switch self {
    case .auto: nil
    case .always: true
    case .never: false
    }
  }

  /// The style for standard error.
  var style: DiagnosticStyle { style(on: 2) }
  /// The style for standard output.
  var outputStyle: DiagnosticStyle { style(on: 1) }

  private func style(on descriptor: Int32) -> DiagnosticStyle {
    switch self {
    case .always: .colored
    case .never: .plain
    case .auto: isatty(descriptor) != 0 && !Self.isRefused ? .colored : .plain
    }
  }

  /// See https://no-color.org.
  private static var isRefused: Bool {
    environment("NO_COLOR") != "" || environment("TERM") == "dumb"
  }

  private static func environment(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }
}

/// `--log info`: the minimum severity of log messages.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
  case none, trace, debug, info, notice, warning, error, critical

  func logger(label: String, isJSON: Bool) -> Logger? {
    guard let level = Logger.Level(rawValue: rawValue) else { return nil }
    return Logger(label: label) { StandardErrorLog(label: $0, level: level, isJSON: isJSON) }
  }
}
