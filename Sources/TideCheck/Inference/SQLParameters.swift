import TideScript

/// The parameters of one SQL statement.
///
/// ```swift
/// SQLParameters("SELECT * FROM note WHERE id = :id AND stars > :stars")?.names   // id, stars
/// ```
struct SQLParameters {
  /// The number of values that it takes.
  private(set) var count = 0
  /// The names of its named parameters.
  private(set) var names: [String] = []

  /// Reads a statement; nil for several statements, or for numbered parameters.
  init?(_ sql: String) {
    var rest = Array(sql.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        rest = rest.drop { $0 != byte }.dropFirst()
      case UInt8(ascii: "["): rest = rest.drop { $0 != UInt8(ascii: "]") }.dropFirst()
      case UInt8(ascii: "-") where rest.first == byte:
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
        rest = rest.dropFirst(2)
      case UInt8(ascii: "?"):
        if rest.first?.isLuaDigit == true { return nil }
        count += 1
      case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
        let name = String(decoding: rest.prefix(while: \.continuesLuaName), as: UTF8.self)
        rest = rest.dropFirst(name.utf8.count)
        if name.isEmpty || names.contains(name) { continue }
        names.append(name)
        count += 1
      case UInt8(ascii: ";"):
        if rest.contains(where: { $0 > UInt8(ascii: " ") }) { return nil }
      default: break
      }
    }
  }
}
