import TideBindings
import TideSystem
import TideViews

/// JSON for the page's script, written piece by piece.
///
/// ```swift
/// var wire = WireText()
/// wire.array {
///   $0.number(12)
///   $0.object { $0.member("text", .string("apple")) }
/// }
/// wire.text    // [12,{"text":"apple"}]
/// ```
struct WireText {
  private(set) var text = ""
  private var needsComma = false

  private mutating func begin() {
    if needsComma { text += "," }
    needsComma = true
  }

  private mutating func nested(_ open: String, _ close: String, _ body: (inout Self) -> Void) {
    begin()
    text += open
    needsComma = false
    body(&self)
    text += close
    needsComma = true
  }

  mutating func array(_ body: (inout Self) -> Void) { nested("[", "]", body) }
  mutating func object(_ body: (inout Self) -> Void) { nested("{", "}", body) }

  mutating func raw(_ json: String) {
    begin()
    text += json
  }

  mutating func number(_ number: Int) { raw("\(number)") }
  mutating func string(_ string: String) { raw(string.quotedForJSON) }

  mutating func name(_ name: String) {
    begin()
    text += name.quotedForJSON + ":"
    needsComma = false
  }

  mutating func member(_ name: String, _ json: String) {
    self.name(name)
    raw(json)
  }

  /// Members that are already written.
  mutating func members(_ members: some Sequence<(name: String, json: String)>) {
    for (name, json) in members { member(name, json) }
  }
}

extension Value {
  /// The value in JSON; nil if pages do not receive it.
  var wireJSON: String? {
    switch self {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): "\(number)"
    case .number(let number): number.isFinite ? "\(number)" : "null"
    case .string(let text): text.quotedForJSON
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self).quotedForJSON
    case .object(let list as any ListObject):
      // Paddings and margins are lists of numbers.
      "[" + list.trackedElements.compactMap(\.wireJSON).joined(separator: ",") + "]"
    case .object(let text as any StyledText): text.describedText.quotedForJSON
    case .object: nil
    }
  }
}

extension Color {
  /// The colour for the page's script: one of the 16 by name, or in hexadecimal.
  var wireName: String? {
    switch self {
    case .standard: return nil
    case .ansi(let number): return Color.names[Int(number)]
    case .rgb(let red, let green, let blue):
      return "#"
        + [red, green, blue].map { byte in
          let digits = String(byte, radix: 16)
          return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
  }
}
