extension String {
  /// The text with everything escaped that could steer a terminal or turn the line round: control
  /// characters as Lua writes them, `\\27`, and Unicode's own as `\\u{202e}`. Tabs stay.
  ///
  /// Messages may quote what a script or a file contains, and a terminal obeys what it is sent.
  package var escapingControls: String { escaping(but: nil) }

  /// The same for a text of several lines, whose line feeds stay.
  package var escapingControlsInLines: String { escaping(but: "\n") }

  private func escaping(but kept: Unicode.Scalar?) -> String {
    guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
    var result = ""
    /// The number of an escape that is not written yet, because a digit could follow.
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
  /// Whether a terminal takes it for a command, or for a direction of writing.
  package var steersTerminals: Bool {
    switch value {
    case 0x09: false
    case 0..<0x20, 0x7f...0x9f: true
    // The direction of writing, and line ends of Unicode's.
    case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The text with some scalars written otherwise; those stay for which `escape` gives nil.
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
  /// How JSON and the binding language write it between quotation marks; nil for what stands for
  /// itself there.
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

  /// How XML writes a sign of its markup in a text or an attribute; nil for what is none.
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
