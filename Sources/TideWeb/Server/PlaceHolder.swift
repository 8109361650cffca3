/// Who holds places of a server: a person, as the host names them, or else a browser, as its cookie
/// says; and the address that they come from.
///
/// ```swift
/// let holder = PlaceHolder(browser: "3f0c…", address: "192.0.2.7")
/// holder.keys.map { $0.share(of: 32) }      // [8, 16]
/// holder.owner                              // "browser:3f0c…"
/// ```
struct PlaceHolder: Sendable {
  /// The name that the host has given; nil for none.
  let person: String?
  /// Its name by its cookie; nil where it has none.
  private let browser: String?
  let keys: [Key]

  enum Key: Hashable, Sendable {
    case person(String)
    case browser(String)
    /// Several people may come from it.
    case address(String)

    /// How many of the places it may hold. Where there are few, a browser may show them all.
    func share(of places: Int) -> Int {
      switch self {
      case .person, .browser: max(places / 4, min(places, 4))
      case .address: max(places / 2, min(places, 4))
      }
    }
  }

  /// - Parameters:
  ///   - person: nil where nobody says who it is.
  ///   - browser: nil where no cookie says which one it is.
  ///   - address: nil where it tells no one apart: of the machine itself, or of a proxy.
  init(person: String? = nil, browser: String?, address: String?) {
    self.person = person
    self.browser = browser
    // A person may use several browsers, and several people one.
    let own: Key? = person.map { .person($0) } ?? browser.map { .browser($0) }
    keys = (own.map { [$0] } ?? []) + (address.map { [.address($0)] } ?? [])
  }

  /// To whom a private session belongs; nil where nothing tells, and each page has one of its own.
  var owner: String? {
    person.map { "person:" + $0 } ?? browser.map { "browser:" + $0 }
  }

  /// Names a session of one page. The name stands in addresses, which proxies write down, so it is
  /// of use to this browser alone.
  func makeSessionName() -> String { (browser ?? "") + Secret.make() }

  /// The session of a page, with whose name the page's begins; nil where that is another browser's.
  func session(ofPage page: String) -> String? {
    let start = browser ?? ""
    return page.hasPrefix(start) ? String(page.prefix(start.count + Secret.length)) : nil
  }
}
