import TideGraph

/// A pattern with conversions for values: those of Lua's `string.format`, or Cocoa's.
///
/// ```swift
/// try LuaFormat("%.2f €").apply(to: 2.5)                                  // "2.50 €"
/// try LuaFormat("%{value2}@, %{value1}@", values: 2).apply(to: ["Ada", "Lovelace"])
/// ```
///
/// Flags, width and precision follow Lua 5.4: `%d %i %u %o %x %X %c %a %A %e %E %f %g %G %s %q %%`,
/// with each conversion's own flags. Errors are those of Lua, with its messages; errors of the
/// pattern itself are thrown when it is made. Cocoa's `%{value1}@` is the text of the first value.
/// Values may occur in any order and more than once. A pattern cannot mix the two notations.
struct LuaFormat {
  private var parts: [Part] = []

  private enum Part {
    case text([UInt8])
    /// A conversion of Lua, with the index of its value from 0.
    case value(Int, Specification)
    /// A placeholder of Cocoa.
    case named(Int)

    var isNamed: Bool { if case .named = self { true } else { false } }
    var isValue: Bool { if case .value = self { true } else { false } }
  }

  struct Specification {
    /// `%` and the flags, width and precision.
    var start: String
    var conversion: Character
    var isPlain: Bool { start == "%" }
    var text: String { start + String(conversion) }
  }

  /// - Parameter count: the number of values.
  init(_ pattern: String, values count: Int = 1) throws(TideError) {
    var rest = Array(pattern.utf8)[...]
    var next = 0
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        append([byte])
      } else if rest.first == UInt8(ascii: "%") {
        rest.removeFirst()
        append([byte])
      } else if rest.first == UInt8(ascii: "{") {
        let index = try Self.placeholder(&rest)
        guard index <= count else { throw Self.tooMany(pattern, count, "value \(index)") }
        parts.append(.named(index - 1))
      } else {
        let found = try Self.specification(&rest)
        guard next < count else { throw Self.tooMany(pattern, count, "another") }
        parts.append(.value(next, found))
        next += 1
      }
    }
    if parts.contains(where: \.isNamed) && parts.contains(where: \.isValue) {
      throw Self.error(
        "\"\(pattern)\" mixes conversions like %s with conversions like %{value1}@; use the one or the other"
      )
    }
  }

  private static func tooMany(_ pattern: String, _ count: Int, _ what: String) -> TideError {
    let given = count == 1 ? "there is one value only" : "there are \(count) values"
    return error("\(given), and \"\(pattern)\" wants \(what)")
  }

  private mutating func append(_ bytes: [UInt8]) {
    guard case .text(var text)? = parts.last else { return parts.append(.text(bytes)) }
    // Removed first, so that the bytes are not copied for each append.
    parts.removeLast()
    text += bytes
    parts.append(.text(text))
  }

  /// The text with the value filled in.
  func apply(to value: Value) throws(TideError) -> Value { try apply(to: [value], null: .null) }

  /// The text with the values filled in.
  ///
  /// - Parameter null: the text for nil; if it is nil, nil is formatted as in Lua.
  func apply(to values: [Value], null: Value = "") throws(TideError) -> Value {
    var text: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let bytes): text += bytes
      case .value(let index, let specification):
        let isShownAsNull = values[index].isNil && null != .null
        text +=
          isShownAsNull
          ? Self.shown(null) : try Self.format(values[index], specification)
      case .named(let index): text += Self.shown(values[index].isNil ? null : values[index])
      }
    }
    return String(validating: text, as: UTF8.self).map(Value.string) ?? .bytes(text)
  }

  /// The text of a value in automatic conversion.
  private static func shown(_ value: Value) -> [UInt8] {
    if case .bytes(let bytes) = value { return bytes }
    return Array((value.text ?? "").utf8)
  }

  /// Reads `{value1}@`. Returns the number of the value.
  private static func placeholder(_ rest: inout ArraySlice<UInt8>) throws(TideError) -> Int {
    let inner = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
    let written = String(decoding: inner, as: UTF8.self)
    rest = rest.dropFirst(inner.count + 1)
    let isClosed = rest.starts(with: "}@".utf8)
    guard isClosed, written.hasPrefix("value"), let index = Int(written.dropFirst(5)), index >= 1
    else {
      throw error("expected %{value1}@ or another number, found \"%{\(written)\"")
    }
    rest = rest.dropFirst(2)
    return index
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
    // A width does not begin with 0 if 0 is not a flag of the conversion.
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
