import TideGraph

/// A pattern of Lua's `string.format` with at most one conversion.
///
/// ```swift
/// try LuaFormat("%.2f €").apply(to: 2.5)   // "2.50 €"
/// ```
///
/// Flags, width and precision follow Lua 5.4: `%d %i %u %o %x %X %c %a %A %e %E %f %g %G %s %q %%`,
/// with each conversion's own flags. What Lua refuses is refused, in its words; what can be known
/// from the pattern alone when it is made.
struct LuaFormat {
  private var before: [UInt8] = []
  private var after: [UInt8] = []
  private var specification: Specification?

  struct Specification {
    /// `%` and the flags, width and precision.
    var start: String
    var conversion: Character
    var isPlain: Bool { start == "%" }
    var text: String { start + String(conversion) }
  }

  init(_ pattern: String) throws(TideError) {
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        append([byte])
      } else if rest.first == UInt8(ascii: "%") {
        rest.removeFirst()
        append([byte])
      } else {
        let found = try Self.specification(&rest)
        if specification != nil {
          throw Self.error("there is one value only, and \"\(pattern)\" wants another")
        }
        specification = found
      }
    }
  }

  private mutating func append(_ bytes: [UInt8]) {
    if specification == nil { before += bytes } else { after += bytes }
  }

  /// The text with the value in its place.
  func apply(to value: Value) throws(TideError) -> Value {
    guard let specification else { return Self.text(before) }
    return Self.text(before + (try Self.format(value, specification)) + after)
  }

  private static func text(_ bytes: [UInt8]) -> Value {
    String(validating: bytes, as: UTF8.self).map(Value.string) ?? .bytes(bytes)
  }

  static func error(_ message: String) -> TideError {
    TideError(.badArgument, "format: \(message)")
  }

  private static func specification(_ rest: inout ArraySlice<UInt8>) throws(TideError)
    -> Specification
  {
    let isModifier: (UInt8) -> Bool = { $0.isDigit || "-+ #0.".utf8.contains($0) }
    let modifiers = rest.prefix(while: isModifier)
    rest = rest.dropFirst(modifiers.count)
    let start = "%" + String(decoding: modifiers, as: UTF8.self)
    guard let letter = rest.popFirst() else {
      throw error("invalid conversion '\(start)' to 'format'")
    }
    let found = Specification(start: start, conversion: Character(Unicode.Scalar(letter)))
    guard let allowed = flags[found.conversion] else {
      throw error("invalid conversion '\(found.text)' to 'format'")
    }
    if found.conversion == "q" {
      if !modifiers.isEmpty { throw error("specifier '%q' cannot have modifiers") }
      return found
    }
    var tail = modifiers.drop { allowed.utf8.contains($0) }
    // A width does not begin with 0, where 0 is no flag.
    if tail.first != UInt8(ascii: "0") { tail = skipTwoDigits(tail) }
    if tail.first == .dot, found.conversion != "c" { tail = skipTwoDigits(tail.dropFirst()) }
    if !tail.isEmpty { throw error("invalid conversion specification: '\(found.text)'") }
    return found
  }

  private static func skipTwoDigits(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.dropFirst(bytes.prefix(2).prefix(while: \.isDigit).count)
  }

  /// The flags that each conversion takes.
  private static let flags: [Character: String] = [
    "d": "-+ 0", "i": "-+ 0", "u": "-0", "o": "-#0", "x": "-#0", "X": "-#0", "c": "-", "s": "-",
    "q": "", "a": "-+ #0", "A": "-+ #0", "e": "-+ #0", "E": "-+ #0", "f": "-+ #0", "g": "-+ #0",
    "G": "-+ #0",
  ]
}
