import TideSystem
public import TideBindings

/// An error as people read it: the location, the code, the line of the script and a caret.
///
/// ```swift
/// do { try runtime.load() } catch { print(Diagnostic(describing: error).text()) }
/// // app.lua:3:11: error[E0402]: attempt to index a nil value (global 'fruit')
/// //   local x = fruit.name
/// //             ^
/// ```
///
/// This alone turns errors into text. The line is read from the file, so it is
/// there when the script is, and is left out otherwise; so is that of a file that was not read as a
/// script, whatever the chunk's name says.
public struct Diagnostic {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The script fails, or something in it does.
    case error
    /// It runs, and is probably not what was meant.
    case warning
  }

  /// Where it happened; without a line when the whole file is meant, nil when no file is.
  public let file: String?
  /// The line, from 1; nil where none is known.
  public let line: Int?
  /// In characters from 1. Where only the line is known, it is that of the word that the message
  /// names, or of the first word.
  public let column: Int?
  /// How bad it is.
  public let severity: Severity
  /// The error's code, as `E0101`.
  public let code: TideError.Code
  /// What is wrong.
  public let message: String
  /// The callers, innermost first.
  public let callers: [String]
  /// The full path of the file that the message names, which scripts are not told.
  public let path: String?
  /// The number of properties, lists and dicts that were restored after a budget stopped a handler.
  private let takenBack: Int?
  let excerpt: SourceExcerpt?

  /// Reads the line that an error is about, if it can be had.
  ///
  /// - Parameters:
  ///   - error: what to show.
  ///   - file: what to name where the error has no location.
  ///   - severity: how bad it is; a call that blocks is a warning in any case.
  public init(
    _ error: TideError, in file: String? = nil, severity: Severity = .error
  ) {
    self.init(error, in: file, severity: severity, line: nil)
  }

  /// - Parameter line: the script's line, which is read from the file where it is not given.
  package init(
    _ error: TideError, in file: String?, severity: Severity, line given: [UInt8]?
  ) {
    self.severity = error.code == .blocking ? .warning : severity
    code = error.code
    path = error.underlyingPath
    takenBack = error.budget?.takenBack
    callers = Self.callers(error.traceback)
    self.file = error.location?.file ?? file
    line = error.location?.line
    let excerpt: SourceExcerpt? =
      if let location = error.location {
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
    guard let location = error.location else {
      column = nil
      return
    }
    column = excerpt?.column ?? location.column ?? 1
  }

  /// Describes any error; one that is no `TideError` counts as a fault of the program.
  public init(describing error: any Error, in file: String? = nil) {
    self.init(error as? TideError ?? TideError(.unexpected, "\(error)"), in: file)
  }

  /// Lines without an end of line: what happened, the script's line, a caret, the callers. Control
  /// characters in them are escaped, those of the style excepted.
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

  /// `E0101`, of a warning `W0604`.
  public var label: String {
    severity == .error ? code.label : "W" + code.label.dropFirst()
  }

  /// Without the innermost function, which the location tells, and those that are no script's.
  private static func callers(_ traceback: String?) -> [String] {
    let frames = (traceback ?? "").split(separator: "\n").map { frame in
      frame.drop { $0 == "\t" || $0 == " " }
    }.filter { !$0.hasPrefix("stack traceback:") && !$0.hasPrefix("[C]:") && !$0.isEmpty }
    return frames.dropFirst().map { "from \($0)" }
  }
}

extension TideError.Code {
  /// Something that should not happen: a fault of the engine or of a host's function.
  public static let unexpected = Self("unexpected", 900)
}

extension Diagnostic {
  /// One line of JSON: an object with `severity`, `code`, `name`, `message`, and, where they are
  /// known, `file`, `line`, `column`, `path` and `callers`. An error of a handler that its budget
  /// stopped has `budget`: the number of properties, lists and dicts that were restored.
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

/// How the parts of a diagnostic stand out.
///
/// ```swift
/// do { try runtime.load() } catch { print(Diagnostic(describing: error).text(style: .colored)) }
/// ```
public struct DiagnosticStyle: Sendable {
  package let isColored: Bool

  /// Text alone.
  public static let plain = DiagnosticStyle(isColored: false)
  /// For terminals.
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
