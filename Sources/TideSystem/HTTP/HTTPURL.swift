import CTideSystem
import TideValues

/// A URL, parsed by the library that connects to it, so that the two cannot interpret it
/// differently.
final class HTTPURL {
  /// libcurl's URL handle, for a transfer.
  let raw: OpaquePointer
  let scheme: String
  /// In lower case; an IPv6 address in canonical form and without brackets.
  let host: String
  let port: Int

  private static let mostBytes = 65_536

  /// - Parameters:
  ///   - base: the URL to which a redirect's target is relative.
  ///   - isProxy: whether proxy schemes are allowed; otherwise only http and https.
  init(_ text: String, from base: HTTPURL? = nil, isProxy: Bool = false) throws(HTTPFailure) {
    let encoded = try Self.encode(text, isRedirect: base != nil)
    var failure: Int32 = 0
    guard let raw = tide_url_make(encoded, base?.raw, isProxy, &failure) else {
      if failure == TIDE_URL_UNSUPPORTED_SCHEME { throw Self.unsupported(text) }
      let hint = text.contains("://") ? "" : "; it begins with http:// or https://"
      throw HTTPFailure(.badURL, "\(text.quoted) is not a valid URL\(hint)")
    }
    self.raw = raw
    scheme = (Self.part(TIDE_URL_SCHEME, of: raw) ?? "").lowercased()
    let name = (Self.part(TIDE_URL_HOST, of: raw) ?? "").lowercased()
    let known = Self.normal(name)
    host = known ?? name
    port = Int(tide_url_port(raw, !isProxy))
    let schemes = isProxy ? Self.schemesOfProxies : ["http", "https"]
    guard schemes.contains(scheme) else { throw Self.unsupported(text) }
    guard known != nil else {
      throw HTTPFailure(
        .badURL,
        "\(name.quoted) is not a valid host name; it has letters, digits, dots and hyphens (write others as xn--…)"
      )
    }
    guard isProxy || (1...65535).contains(port) else {
      throw HTTPFailure(.badURL, "\(text.quoted) has no port that exists; there are 1 to 65535")
    }
  }

  deinit { tide_url_free(raw) }

  private static let schemesOfProxies = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  var text: String { Self.part(TIDE_URL_ALL, of: raw) ?? "" }
  /// Host and port, for messages.
  var server: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  func isOnSameServer(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  private static func part(_ part: TideURLPart, of raw: OpaquePointer) -> String? {
    guard let text = tide_url_part(raw, part) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  private static func unsupported(_ text: String) -> HTTPFailure {
    let scheme = text.prefix { $0 != ":" }
    return HTTPFailure(
      .unsupportedScheme,
      "addresses with \(String(scheme).quoted) are not supported; there are http and https")
  }

  /// The name without a trailing dot; nil if it is not a valid host name.
  private static func normal(_ name: String) -> String? {
    if name.hasPrefix("["), name.hasSuffix("]") {
      return NetworkAddress(String(name.dropFirst().dropLast()))?.description
    }
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "-._".utf8.contains(byte)
      }
    }
    let short = name.hasSuffix(".") ? String(name.dropLast()) : name
    return isPlain && !short.isEmpty && !short.hasPrefix(".") ? short : nil
  }

  /// Percent-encodes non-ASCII characters as UTF-8, and blanks in redirects.
  private static func encode(_ text: String, isRedirect: Bool) throws(HTTPFailure) -> String {
    if text.utf8.count > mostBytes {
      throw HTTPFailure(.badURL, "an address has at most \(mostBytes) bytes")
    }
    var result: [UInt8] = []
    for byte in text.utf8 {
      let isBlank = byte == 0x20 && isRedirect
      if byte < 0x21 && !isBlank || byte == 0x7F {
        throw HTTPFailure(
          .badURL,
          "\(text.quoted) has a blank or a control character; write %20 for a blank")
      }
      if byte >= 0x80 || isBlank {
        let digits = String(byte, radix: 16, uppercase: true)
        result += Array("%\(digits)".utf8)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension String {
  /// The string in quotation marks for a message, truncated to a readable length.
  var quoted: String {
    let start = prefix(100)
    return "\"" + String(start).escapingControls + (start.endIndex < endIndex ? "…" : "") + "\""
  }
}
