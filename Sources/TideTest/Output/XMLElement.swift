import TideSystem
import TideBindings

/// An XML element with its attributes and contents.
///
/// ```swift
/// var element = XMLElement("testcase", [("name", "adds")])
/// element.add("1 + 1 is 3")
/// element.text()  // "\n<testcase name='adds'>1 + 1 is 3</testcase>"
/// ```
package struct XMLElement {
  /// The formatting of elements.
  package struct Style: Sendable {
    let indent: String
    let quote: String
    /// Whether newlines in attributes are written unescaped; XML parsers read those as spaces.
    let hasBareNewlines: Bool

    /// Busted's style, with tabs and apostrophes.
    package static let busted = Style(indent: "\t", quote: "'", hasBareNewlines: true)
    package static let plain = Style(indent: "  ", quote: "\"", hasBareNewlines: false)
  }

  private enum Content {
    case element(XMLElement)
    case text(String)
  }

  private let name: String
  private var attributes: [(name: String, value: String)] = []
  private var contents: [Content] = []

  package init(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    self.name = name
    self.attributes = attributes
  }

  package mutating func set(_ name: String, _ value: String) {
    if let index = attributes.firstIndex(where: { $0.name == name }) {
      attributes[index].value = value
    } else {
      attributes.append((name, value))
    }
  }

  package mutating func add(_ element: XMLElement) { contents.append(.element(element)) }

  package mutating func add(_ text: String) { contents.append(.text(text)) }

  /// The XML text. Each element starts on a new line.
  package func text(_ style: Style = .busted, depth: Int = 0) -> String {
    let indent = "\n" + String(repeating: style.indent, count: depth)
    let marks = attributes.map { name, value in
      " \(name)=\(style.quote)\(Self.escaped(value, hasBareNewlines: style.hasBareNewlines))\(style.quote)"
    }.joined()
    guard !contents.isEmpty else { return "\(indent)<\(name)\(marks)/>" }
    var body = ""
    var endsOnOwnLine = false
    for content in contents {
      switch content {
      case .text(let text): body += Self.escaped(text)
      case .element(let element):
        body += element.text(style, depth: depth + 1)
        endsOnOwnLine = true
      }
    }
    return "\(indent)<\(name)\(marks)>\(body)\(endsOnOwnLine ? indent : "")</\(name)>"
  }

  /// Escapes a text, and replaces characters that XML does not allow.
  private static func escaped(_ text: String, hasBareNewlines: Bool = true) -> String {
    text.escaping { scalar in
      switch scalar {
      case "'": return "&apos;"
      case "\n", "\t", "\r": return hasBareNewlines ? nil : "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        return "\u{FFFD}"
      // XML allows these characters, but they would control a terminal that shows the text.
      case _ where scalar.steersTerminals: return "&#\(scalar.value);"
      default: return scalar.escapeInXML
      }
    }
  }
}
