import TideBindings

extension Diagnostic {
  /// One line: an object with `severity`, `code`, `name`, `message`, and `file`, `line`, `column`,
  /// `path`, `callers` where they are known.
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
    if !callers.isEmpty { object.add("callers", callers) }
    return object.text
  }
}
