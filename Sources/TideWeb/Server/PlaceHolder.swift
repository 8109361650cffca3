import TideScript
import TideSystem

/// The holder of one or several of the limited places for viewers: a person named by the host, or
/// else a browser identified by its cookie; and the address that they connect from.
///
/// ```swift
/// let holder = PlaceHolder(browser: "3f0c…", address: "192.0.2.7")
/// holder.keys.map { $0.share(of: 32) }      // [8, 16]
/// holder.owner                              // "browser:3f0c…"
/// ```
struct PlaceHolder: Sendable {
  /// The name that the host gives; nil if it gives none.
  let person: String?
  /// The browser's name from its cookie; nil without one.
  private let browser: String?
  let keys: [Key]

  enum Key: Hashable, Sendable {
    /// By its exact name.
    case person(String)
    case browser(String)
    /// Several people may share an address.
    case address(String)

    /// The most places it may hold. If there are only a few, one holder may take them all.
    func share(of places: Int) -> Int {
      switch self {
      case .person, .browser: max(places / 4, min(places, 4))
      case .address: max(places / 2, min(places, 4))
      }
    }
  }

  /// - Parameters:
  ///   - person: nil if the host names nobody.
  ///   - browser: nil without a cookie.
  ///   - address: nil if it identifies nobody, such as that of the machine itself or of a proxy.
  init(person: String? = nil, browser: String?, address: String?) {
    self.person = person
    self.browser = browser
    // A person may use several browsers, and several people may share one.
    let own: Key? = person.map { .person(Self.exact($0)) } ?? browser.map { .browser($0) }
    keys = (own.map { [$0] } ?? []) + (address.map { [.address($0)] } ?? [])
  }

  /// The holder's unique name, in ASCII. It owns a private session, and dialogs for one person in a
  /// shared app. Nil if unknown; each page then has its own session.
  var owner: String? {
    person.map { "person:" + Self.exact($0) } ?? browser.map { "browser:" + $0 }
  }

  /// A name in ASCII, with other bytes as `%C3`. Swift considers strings equal whose accents are
  /// encoded differently, but a host may give them to two people.
  private static func exact(_ name: String) -> String {
    var exact = ""
    for byte in name.utf8 {
      if byte < 0x80, byte != UInt8(ascii: "%") {
        exact.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        exact += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
    return exact
  }

  /// The owner of the values that a private session saves by `session.keep`. A browser is
  /// identified by a digest, so that no database contains a part of its cookie.
  var sessionOwner: SessionOwner {
    if let person { return .person(person) }
    guard let browser else { return .page }
    return .named("browser:" + SHA256.hash(Array(browser.utf8)).hexadecimal)
  }

  /// Makes a name for the session of one page. The name is valid for this browser alone, because
  /// proxies may log addresses that contain it.
  func makeSessionName() -> String { (browser ?? "") + Secret.make() }

  /// The session in a page's name; nil if the page belongs to another browser.
  func session(ofPage page: String) -> String? {
    let start = browser ?? ""
    return page.hasPrefix(start) ? String(page.prefix(start.count + Secret.length)) : nil
  }
}
