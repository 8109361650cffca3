import TideSystem
public import TideBindings

/// An error in readable form: the location, the code, the line of the script and a caret.
///
/// ```swift
/// do { try runtime.load() } catch { print(Diagnostic(describing: error).text()) }
/// // app.lua:3:11: error[E0402]: attempt to index a nil value (global 'fruit')
/// //   local x = fruit.name
/// //             ^
/// ```
///
/// Only this type turns errors into text. The script's line is read from the file, and left out if
/// the file is missing or was never read as a script.
public struct Diagnostic {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable {
    /// The script, or a part of it, fails.
    case error
    /// The script runs, but probably not as intended.
    case warning
  }

  /// The file; nil if unknown.
  public let file: String?
  /// The line, from 1; nil if unknown.
  public let line: Int?
  /// In characters from 1. If only the line is known, the column of the word that the message
  /// refers to, or of the first word.
  public let column: Int?
  /// The severity.
  public let severity: Severity
  /// The error's code, as `E0101`.
  public let code: TideError.Code
  /// The error message.
  public let message: String
  /// The callers, innermost first.
  public let callers: [String]
  /// The full path of the file in the message, which is hidden from scripts.
  public let path: String?
  /// The number of properties, lists and dicts that were restored after a budget stopped a handler.
  private let takenBack: Int?
  let excerpt: SourceExcerpt?

  /// Reads the script's line of an error, if available.
  ///
  /// - Parameters:
  ///   - error: the error to describe.
  ///   - file: the file to name if the error has no location.
  ///   - severity: the severity; a blocking call is always a warning.
  public init(
    _ error: TideError, in file: String? = nil, severity: Severity = .error
  ) {
    self.init(error, in: file, severity: severity, line: nil)
  }

  /// - Parameter line: the script's line; nil to read it from the file.
  package init(
    _ error: TideError, in file: String?, severity: Severity, line given: [UInt8]?
  ) {
    let found = given == nil ? ErrorLocator.find(error) : nil
    let location = found?.location ?? error.location
    self.severity = error.code == .blocking ? .warning : severity
    code = found?.code ?? error.code
    path = error.underlyingPath
    takenBack = error.budget?.takenBack
    callers = Self.callers(error.traceback)
    self.file = location?.file ?? file
    line = location?.line
    let excerpt: SourceExcerpt? =
      if let location {
        if let given {
          SourceExcerpt(line: given, byteColumn: location.column, naming: error.message)
        } else {
          SourceExcerpt(location, naming: error.message)
        }
      } else {
        nil
      }
    self.excerpt = excerpt
    message =
      error.code == .scriptError
      ? error.fullMessage + MissingNameHint.hint(for: error.message, after: excerpt?.head ?? [])
      : error.fullMessage
    column = location.map { excerpt?.column ?? $0.column ?? 1 }
  }

  /// Describes any error. One that is not a `TideError` counts as a fault of the program.
  public init(describing error: any Error, in file: String? = nil) {
    self.init(error as? TideError ?? TideError(.unexpected, "\(error)"), in: file)
  }

  /// The message, the script's line, a caret and the callers, as lines without line ends. Control
  /// characters are escaped, except those of the style.
  public func lines(style: DiagnosticStyle = .plain) -> [String] {
    var parts = message.split(separator: "\n", omittingEmptySubsequences: false)
    let first = parts.isEmpty ? "" : parts.removeFirst()
    var lines = [heading(style) + style.message(String(first).escapingControls)]
    lines += parts.map { "  " + String($0).escapingControls }
    if let excerpt {
      lines.append("  " + excerpt.text)
      lines.append("  " + excerpt.indent + style.caret("^"))
    }
    if let path { lines.append("  at " + path.escapingControls) }
    return lines + callers.map { "  " + style.caller($0.escapingControls) }
  }

  /// The lines in one text.
  public func text(style: DiagnosticStyle = .plain) -> String {
    lines(style: style).joined(separator: "\n")
  }

  private func heading(_ style: DiagnosticStyle) -> String {
    var location = file.map { $0.escapingControls + ":" } ?? ""
    if let line { location += "\(line):" }
    if let column { location += "\(column):" }
    return (location.isEmpty ? "" : style.location(location) + " ") + kind(style) + " "
  }

  private func kind(_ style: DiagnosticStyle) -> String {
    switch severity {
    case .error: style.kind("error[\(label)]:")
    case .warning: style.warning("warning[\(label)]:")
    }
  }

  /// `E0101`, or `W0604` for a warning.
  public var label: String {
    severity == .error ? code.label : "W" + code.label.dropFirst()
  }

  /// Omits the innermost function, which the location shows, and functions that are not scripts'.
  private static func callers(_ traceback: String?) -> [String] {
    let frames = (traceback ?? "").split(separator: "\n").map { frame in
      frame.drop { $0 == "\t" || $0 == " " }
    }.filter { !$0.hasPrefix("stack traceback:") && !$0.hasPrefix("[C]:") && !$0.isEmpty }
    return frames.dropFirst().map { "from \($0)" }
  }
}

extension TideError.Code {
  /// An unexpected failure: a fault of the engine or of a host's function.
  public static let unexpected = Self("unexpected", 900)
}

extension Diagnostic {
  /// One line of JSON: an object with `severity`, `code`, `name` and `message`, and, if known,
  /// `file`, `line`, `column`, `path` and `callers`. For a handler that its budget stopped,
  /// `budget` is the number of properties, lists and dicts that were restored.
  public var json: String {
    var object = JSONLine()
    object.add("severity", severity.rawValue)
    object.add("code", label)
    object.add("name", code.name)
    object.add("message", message)
    if let file { object.add("file", file) }
    if let line { object.add("line", line) }
    if let column { object.add("column", column) }
    if let path { object.add("path", path) }
    if let takenBack { object.add("budget", takenBack) }
    if !callers.isEmpty { object.add("callers", callers) }
    return object.text
  }
}

/// The style of a diagnostic's parts.
///
/// ```swift
/// do { try runtime.load() } catch { print(Diagnostic(describing: error).text(style: .colored)) }
/// ```
public struct DiagnosticStyle: Sendable {
  package let isColored: Bool

  /// Plain text.
  public static let plain = DiagnosticStyle(isColored: false)
  /// With colours, for terminals.
  public static let colored = DiagnosticStyle(isColored: true)

  package func location(_ text: String) -> String { wrapped(text, "1") }
  package func kind(_ text: String) -> String { wrapped(text, "1;31") }
  func warning(_ text: String) -> String { wrapped(text, "1;33") }
  package func message(_ text: String) -> String { wrapped(text, "1") }
  package func caret(_ text: String) -> String { wrapped(text, "1;32") }
  package func caller(_ text: String) -> String { wrapped(text, "2") }

  private func wrapped(_ text: String, _ codes: String) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(codes)m\(text)\u{1b}[0m" : text
  }
}
