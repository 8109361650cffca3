extension String {
  /// The text with everything escaped that could steer a terminal or turn the line round: control
  /// characters as Lua writes them, `\\27`, and Unicode's own as `\\u{202e}`. Tabs stay.
  ///
  /// Messages may quote what a script or a file contains, and a terminal obeys what it is sent.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if !scalar.steersTerminals {
        result.unicodeScalars.append(scalar)
      } else if scalar.value <= 0x7f {
        result += "\\\(scalar.value)"
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  var steersTerminals: Bool {
    switch value {
    case 0x09: false
    case 0..<0x20, 0x7f...0x9f: true
    // The direction of writing, and line ends of Unicode's.
    case 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
