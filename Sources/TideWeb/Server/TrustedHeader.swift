import TideBindings
import TideSystem

/// Identifies people by a header that a reverse proxy sets in each of its requests.
///
/// ```swift
/// let header = try TrustedHeader("X-User", from: [])
/// header.person(in: request)        // nil, unless a proxy on this machine names one
/// ```
struct TrustedHeader: Sendable {
  private let name: String
  /// The addresses of trusted proxies; empty for any proxy on this machine.
  private let peers: Set<String>

  /// - Throws: `serving` if the header's name or an address is invalid.
  init(_ name: String, from peers: [String]) throws(TideError) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else {
      throw TideError(
        .serving, "\"\(name.inMessage)\" is not the name of a header, such as X-User")
    }
    self.name = name.lowercased()
    var addresses: Set<String> = []
    for peer in peers {
      guard let address = ListeningSocket.canonicalAddress(peer) else {
        throw TideError(
          .serving, "\"\(peer.inMessage)\" is not the address of a proxy, such as 10.0.0.7")
      }
      addresses.insert(address)
    }
    self.peers = addresses
  }

  /// The person whom a request names; nil if it does not come from a trusted proxy, or names
  /// nobody.
  func person(in request: WebRequest) -> WebPerson? {
    guard let address = request.address, isTrusted(address) else { return nil }
    // A second header was sent by the browser and not removed by the proxy.
    let values = request.headers.filter { $0.name.lowercased() == name }
    guard values.count == 1, Self.isPerson(values[0].value) else { return nil }
    return WebPerson(values[0].value)
  }

  private func isTrusted(_ address: String) -> Bool {
    let mapped = "::ffff:"
    let plain =
      address.hasPrefix(mapped) && address.contains(".")
      ? String(address.dropFirst(mapped.count)) : address
    return peers.isEmpty ? plain.hasPrefix("127.") || plain == "::1" : peers.contains(plain)
  }

  private static func isPerson(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(isOfPerson)
      && text.contains { $0 != " " }
  }

  /// Refuses invisible characters, with which a name could look like that of another person.
  private static func isOfPerson(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: scalar != "\u{FFFD}"
    }
  }

  /// The characters of a header's name (RFC 9110).
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
