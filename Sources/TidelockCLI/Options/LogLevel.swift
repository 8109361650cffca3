import ArgumentParser
import Logging

/// `--log info`: what is as grave as that, or graver, is written.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
  case none, trace, debug, info, notice, warning, error, critical

  func logger(label: String, isJSON: Bool) -> Logger? {
    guard let level = Logger.Level(rawValue: rawValue) else { return nil }
    return Logger(label: label) { StandardErrorLog(label: $0, level: level, isJSON: isJSON) }
  }
}
