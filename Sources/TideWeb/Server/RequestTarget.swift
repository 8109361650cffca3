/// The target of a request: a path and a query.
///
/// ```swift
/// let target = RequestTarget("/inspect?token=3f0c&from=mail")
/// target.page               // .inspector
/// target.token              // "3f0c"
/// target.withoutToken       // "/inspect?from=mail"
/// ```
struct RequestTarget {
  let path: String
  private let pairs: [(name: Substring, value: Substring)]

  init(_ uri: String) {
    path = String(uri.prefix { $0 != "?" })
    pairs = uri.dropFirst(path.count + 1).split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return (name, pair.dropFirst(name.count + 1))
    }
  }

  /// The page at the path; nil if there is none.
  var page: PagePlace? { PagePlace(rawValue: path) }

  /// The page to which a connection at the path belongs; nil if nothing connects there.
  var connection: PagePlace? {
    if path == "/ws" { return .app }
    guard path.hasSuffix("/ws") else { return nil }
    let place = PagePlace(rawValue: String(path.dropLast("/ws".count)))
    // "//ws" is another path, for which a proxy may have another rule.
    return place == .app ? nil : place
  }

  /// The token in the query of a page's address.
  var token: String? { page == nil ? nil : value(of: Self.tokenName) }

  /// The name of an earlier page that a connection continues; empty for a new one.
  var session: String { String((value(of: "session") ?? "").prefix(96)) }

  /// The address of the script of the page that requests a connection; nil if the request has none.
  var script: String? { value(of: "page") }

  /// The path without the token, for a redirect. It contains only the path of a page and valid
  /// characters of a query, so it cannot lead elsewhere. Nil if the path is not that of a page.
  var withoutToken: String? { address { $0 != Self.tokenName } }

  /// The path with its query, including the token, for a redirect.
  var again: String? { address { _ in true } }

  private func address(with isWanted: (Substring) -> Bool) -> String? {
    guard let page else { return nil }
    let query = pairs.filter { isWanted($0.name) }
      .map { name, value in value.isEmpty ? String(name) : "\(name)=\(value)" }
      .filter { $0.utf8.allSatisfy(Self.isOfQuery) }
      .joined(separator: "&")
    return page.rawValue + (query.isEmpty ? "" : "?" + query)
  }

  private static let tokenName = "token"

  private func value(of name: String) -> String? {
    pairs.first { $0.name == name }.map { String($0.value) }
  }

  /// RFC 3986: what a query may contain.
  private static func isOfQuery(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~!$&'()*+,;=:@/?%".utf8.contains(byte)
    }
  }
}

/// The kinds of pages, by the path of their address.
enum PagePlace: String, CaseIterable, Sendable {
  /// The app itself.
  case app = "/"
  /// The inspector, for developers.
  case inspector = "/inspect"
}
