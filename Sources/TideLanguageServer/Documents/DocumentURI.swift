import TideSystem

/// The URIs of files and other documents.
///
///     file:///home/ada/a%20b/%C3%A4.lua     /home/ada/a b/ä.lua
///     untitled:Untitled-1                    Untitled-1 in the first root
package enum DocumentURI {
  /// The path of a `file:` URI; nil for other URIs and invalid text.
  ///
  /// The host must be empty or `localhost`.
  package static func path(of uri: String) -> String? {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")),
      uri[..<colon].lowercased() == "file"
    else { return nil }
    var rest = uri[uri.utf8.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    guard rest.hasPrefix("/"), let path = decoded(rest), !path.utf8.contains(0) else { return nil }
    return normalized(path)
  }

  /// The `file:` URI of an absolute path.
  package static func of(path: String) -> String {
    var uri = "file://"
    for byte in path.utf8 {
      if isPlain(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        uri += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return uri
  }

  /// A file name for a document of another scheme: the last component after the scheme.
  package static func name(of uri: String) -> String {
    let rest = uri.drop { $0 != ":" }.dropFirst()
    let name =
      (decoded(rest.prefix { $0 != "?" && $0 != "#" }) ?? String(rest)).split(separator: "/")
      .last.map(String.init) ?? ""
    let plain = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.value >= 0x20 }))
    return plain.isEmpty || plain == "." || plain == ".." ? "untitled" : plain
  }

  /// The path without empty components and dots, so that each file has one path.
  private static func normalized(_ path: String) -> String {
    guard path.contains("//") || path.contains("/.") || path.hasSuffix("/") else { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Decodes percent escapes; nil if an escape lacks its two digits, or the result is not UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
  }
}
