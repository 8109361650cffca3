/// What a page shows.
enum PagePlace: String, CaseIterable, Sendable {
  /// The app itself.
  case app = "/"
  /// What looks into it, for developers.
  case inspector = "/inspect"

  /// The place of a page's own address; nil for another one.
  init?(page uri: String) { self.init(rawValue: String(uri.prefix { $0 != "?" })) }

  /// The place to which a connection is made; nil for another address.
  init?(connection uri: String) {
    let path = String(uri.prefix { $0 != "?" })
    guard path.hasSuffix("/ws") else { return nil }
    self.init(rawValue: path == "/ws" ? "/" : String(path.dropLast("/ws".count)))
  }

  /// The name of the session that a connection asks to go on with; empty for a new one.
  static func session(in uri: String) -> String {
    String((value(of: "session", in: uri) ?? "").prefix(64))
  }

  /// The address of the script of the page that asks for a connection; nil where no page does.
  static func page(in uri: String) -> String? { value(of: "page", in: uri) }

  private static func value(of name: String, in uri: String) -> String? {
    guard let query = uri.firstIndex(of: "?") else { return nil }
    for pair in uri[uri.index(after: query)...].split(separator: "&")
    where pair.hasPrefix(name + "=") {
      return String(pair.dropFirst(name.count + 1))
    }
    return nil
  }
}
