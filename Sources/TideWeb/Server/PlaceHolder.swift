/// Who holds places of a server: a browser, as its cookie says, and the address that it comes from.
///
/// ```swift
/// let holder = PlaceHolder(browser: "3f0c…", address: "192.0.2.7")
/// holder.keys.map { $0.share(of: 32) }      // [8, 16]
/// ```
struct PlaceHolder: Sendable {
  /// Its name by its cookie; nil where the host lets people in.
  private let browser: String?
  let keys: [Key]

  enum Key: Hashable, Sendable {
    case browser(String)
    /// Several people may come from it.
    case address(String)

    /// How many of the places it may hold. Where there are few, a browser may show them all.
    func share(of places: Int) -> Int {
      switch self {
      case .browser: max(places / 4, min(places, 4))
      case .address: max(places / 2, min(places, 4))
      }
    }
  }

  /// - Parameters:
  ///   - browser: nil where no cookie says which one it is.
  ///   - address: nil where it tells no one apart: of the machine itself, or of a proxy.
  init(browser: String?, address: String?) {
    self.browser = browser
    keys = (browser.map { [.browser($0)] } ?? []) + (address.map { [.address($0)] } ?? [])
  }

  /// Names a session of its own. The name stands in addresses, which proxies write down, so it is of
  /// use to this browser alone.
  func makeSessionName() -> String { (browser ?? "") + Secret.make() }

  /// Whether a session with the name may be one of its own.
  func owns(_ session: String) -> Bool { browser.map(session.hasPrefix) ?? true }
}
