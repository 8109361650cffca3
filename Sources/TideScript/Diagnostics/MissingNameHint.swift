import TideBindings
import TideGraph
import TideLua
import TideValues

/// Suggests a name when a script has used a global, or a member of a Lua library, that does not
/// exist.
///
/// Lua evaluates such a name to nil, and its message is about the later use of the nil: `attempt to
/// call a nil value (field 'reep')`. Scripts may test whether a name exists, so reading a missing
/// name cannot be an error itself.
package enum MissingNameHint {
  /// The globals, and the members of the libraries.
  private struct Names {
    var globals: [String] = []
    var members: [String: [String]] = [:]
  }

  private static let libraries = ["string", "table", "math", "utf8", "coroutine", "os", "io"]
  /// The names of the process's first runtime; they are the same in all runtimes.
  private static let names = Guarded<Names?>(nil)

  /// Records the names that exist before the first script runs.
  static func note(_ lua: LuaState) throws(LuaError) {
    if names.withLock({ $0 != nil }) { return }
    var found = Names()
    let globals = try lua.globals
    found.globals = try lua.names(in: globals)
    for library in libraries {
      guard let table = try globals.rawGet(.string(library)).table else { continue }
      found.members[library] = try lua.names(in: table)
    }
    names.withLock { [found] in $0 = found }
  }

  /// The text to append to the message, or an empty text.
  ///
  /// - Parameter head: the part of the line before the name.
  static func hint(for message: String, after head: some Sequence<UInt8>) -> String {
    guard let (kind, name) = missing(in: message) else { return "" }
    guard let known = names.withLock({ $0 }) else { return "" }
    switch kind {
    case "global": return NearestName.hint(for: name, in: known.globals)
    case "field":
      guard let library = library(before: Array(head)), let members = known.members[library]
      else { return "" }
      return NearestName.hint(for: name, in: members) { "\(library).\($0)" }
    default: return ""
    }
  }

  /// The variable or member that is nil: `field` and `reep` of `attempt to call a nil value (field
  /// 'reep')`; nil in other messages.
  package static func missing(in message: String) -> (kind: Substring, name: String)? {
    guard message.hasPrefix("attempt to "), message.hasSuffix("')"),
      let culprit = message.split(separator: " a nil value (").dropFirst().last
    else { return nil }
    let parts = culprit.dropLast(2).split(separator: " '", maxSplits: 1)
    return parts.count == 2 ? (parts[0], String(parts[1])) : nil
  }

  /// The library before the dot at the end of the text.
  private static func library(before: [UInt8]) -> String? {
    let head = before.reversed().drop { $0 <= 0x20 }
    guard head.first == UInt8(ascii: ".") else { return nil }
    let rest = head.dropFirst().drop { $0 <= 0x20 }
    return libraries.first { library in
      guard rest.starts(with: library.utf8.reversed()) else { return false }
      let next = rest.dropFirst(library.utf8.count).first
      return next.map { !isPartOfPath($0) } ?? true
    }
  }

  private static func isPartOfPath(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }
}
