import TideSystem
import TideBindings
import TideScript

/// A message between a prompt and a running app: named fields, one message per line.
///
/// ```swift
/// Message("evaluate", ["id": 1, "text": "1 + 1"]).line
/// // {"kind":"evaluate","id":1,"text":"1 + 1"}
/// ```
///
/// A line is a JSON object whose fields are strings, integers, booleans or lists of strings.
/// Nothing else is nested, so the depth is bounded. Readers ignore unknown fields, and `null`
/// counts as a missing field.
package struct Message: Equatable, Sendable {
  package enum Field: Equatable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case texts([String])
  }

  /// The longest line that either side accepts, in bytes.
  package static let longest = 16 << 20

  package let kind: String
  /// In the order in which they are written.
  package private(set) var fields: [(name: String, value: Field)] = []

  package init(_ kind: String, _ fields: KeyValuePairs<String, Field> = [:]) {
    self.kind = kind
    self.fields = fields.map { (name: $0.key, value: $0.value) }
  }

  init(_ kind: String, fields: [(name: String, value: Field)]) {
    self.kind = kind
    self.fields = fields
  }

  package static func == (left: Message, right: Message) -> Bool {
    left.kind == right.kind && left.fields.elementsEqual(right.fields, by: ==)
  }

  package subscript(name: String) -> Field? {
    get { fields.last { $0.name == name }?.value }
    set {
      fields.removeAll { $0.name == name }
      if let newValue { fields.append((name, newValue)) }
    }
  }

  package func text(_ name: String) -> String? {
    if case .text(let text) = self[name] { text } else { nil }
  }

  package func number(_ name: String) -> Int? {
    if case .number(let number) = self[name] { number } else { nil }
  }

  package func flag(_ name: String) -> Bool { self[name] == .flag(true) }

  package func texts(_ name: String) -> [String]? {
    if case .texts(let texts) = self[name] { texts } else { nil }
  }

  /// The line with its line end, as UTF-8.
  var bytes: [UInt8] { Array(line.utf8) + [0x0A] }

  /// The JSON object without a line end.
  package var line: String {
    var object = JSONLine()
    object.add("kind", kind)
    for (name, value) in fields {
      switch value {
      case .text(let text): object.add(name, text)
      case .number(let number): object.add(name, number)
      case .flag(let flag): object.add(name, flag)
      case .texts(let texts): object.add(name, texts)
      }
    }
    return object.text
  }
}

extension Message.Field: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int) { self = .number(number) }
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }
  package init(arrayLiteral texts: String...) { self = .texts(texts) }
}
