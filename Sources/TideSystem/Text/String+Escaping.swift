extension String {
  /// Escapes everything that could control a terminal or change the text direction: control
  /// characters as in Lua, `\\27`, and Unicode controls as `\\u{202e}`. Tabs are unchanged.
  ///
  /// Messages may quote text from a script or a file, and a terminal interprets control characters.
  package var escapingControls: String { escaping(but: nil) }

  /// Escapes a text of several lines, and keeps its line feeds.
  package var escapingControlsInLines: String { escaping(but: "\n") }

  private func escaping(but kept: Unicode.Scalar?) -> String {
    guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
    var result = ""
    /// The number of a pending escape; its form depends on whether a digit follows.
    var waiting: UInt32?
    for scalar in unicodeScalars {
      if let number = waiting {
        let digits = "\(number)"
        let isDigit = (0x30...0x39).contains(scalar.value)
        let zeros = isDigit ? String(repeating: "0", count: 3 - digits.count) : ""
        result += "\\" + zeros + digits
        waiting = nil
      }
      if !scalar.steersTerminals || scalar == kept {
        result.unicodeScalars.append(scalar)
      } else if scalar.value <= 0x7f {
        waiting = scalar.value
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    if let waiting { result += "\\" + "\(waiting)" }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether a terminal interprets it as a command or a change of text direction.
  package var steersTerminals: Bool {
    switch value {
    case 0x09: false
    case 0..<0x20, 0x7f...0x9f: true
    // Direction marks, and Unicode line separators.
    case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// Replaces scalars by their escapes; keeps those for which `escape` returns nil.
  package func escaping(_ escape: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let escape = escape(scalar) {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// The escape in string literals of JSON and the binding language; nil if none is needed.
  package var escapeInQuotes: String? {
    switch self {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: nil
    }
  }

  /// The escape of an XML markup character; nil for other characters.
  package var escapeInXML: String? {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    default: nil
    }
  }
}
