/// An element of XML with its attributes and contents.
struct XMLElement {
  enum Content {
    case element(XMLElement)
    case text(String)
  }

  let name: String
  var attributes: [(name: String, value: String)] = []
  var contents: [Content] = []

  init(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    self.name = name
    self.attributes = attributes
  }

  mutating func set(_ name: String, _ value: String) {
    if let index = attributes.firstIndex(where: { $0.name == name }) {
      attributes[index].value = value
    } else {
      attributes.append((name, value))
    }
  }

  mutating func add(_ element: XMLElement) { contents.append(.element(element)) }

  mutating func add(_ text: String) { contents.append(.text(text)) }

  /// The text, elements on lines of their own that are indented by tabs.
  func text(depth: Int = 0) -> String {
    let indent = "\n" + String(repeating: "\t", count: depth)
    let marks = attributes.map { " \($0.name)='\(Self.escaped($0.value))'" }.joined()
    guard !contents.isEmpty else { return "\(indent)<\(name)\(marks)/>" }
    var body = ""
    var endsOnOwnLine = false
    for content in contents {
      switch content {
      case .text(let text): body += Self.escaped(text)
      case .element(let element):
        body += element.text(depth: depth + 1)
        endsOnOwnLine = true
      }
    }
    return "\(indent)<\(name)\(marks)>\(body)\(endsOnOwnLine ? indent : "")</\(name)>"
  }

  /// Without what XML cannot hold, escaped or not.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      case "\n", "\t", "\r": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
