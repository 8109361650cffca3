import NIOHTTP1
import TideSystem

/// Decides which requests the server answers: those of its own pages, by admitted people.
struct RequestRules: Sendable {
  /// The origin of the server's pages, by each `host:port` under which browsers may address it.
  var origins: [String: String]
  /// Set if the server listens at all addresses of the machine: then browsers may use any IP
  /// address, because nobody can redirect an IP address to this server as they could a name.
  var anyAddress: AnyAddress?
  /// Admits viewers of the app.
  let viewers: Admission
  /// Admits developers to the inspector; nil without an inspector.
  var inspector: Admission?
  /// Whether the address of a connection identifies its client. False if it may be that of this
  /// machine or of a proxy.
  var tellsAddressesApart = false
  /// Decides about viewers in place of the token; nil for the token.
  var admits: (@Sendable (WebRequest) async -> WebPerson?)?

  struct AnyAddress: Sendable {
    let port: Int
    let scheme: String
  }

  enum Verdict: Equatable {
    case allowed(Admitted)
    /// The host has to decide.
    case undecided
    /// The address contains the token, which is exchanged for a cookie. The value of `Set-Cookie`
    /// is nil for a browser that already has a cookie, and for a HEAD request.
    case newcomer(cookie: String?)
    /// The request has neither a valid cookie nor a usable token.
    case stranger
    case refused(HTTPResponseStatus, String)
  }

  /// A person or browser that has been let in.
  struct Admitted: Equatable {
    /// The name that the host gives; nil if it gives none.
    var person: String?
    /// The browser's name from its cookie; nil without one, or if a person is named.
    var browser: String?
    /// The value of a `Set-Cookie` header to be sent.
    var cookie: String?
  }

  /// - Parameter needsOrigin: whether the request has to name the origin of its page.
  func verdict(on head: HTTPRequestHead, needsOrigin: Bool) -> Verdict {
    // Any other name that resolves to this server was chosen by somebody else (DNS rebinding).
    let host = head.headers["host"]
    guard host.count == 1, let own = origin(ofHost: host[0].lowercased()) else {
      return .refused(.misdirectedRequest, "This server does not go by that name.")
    }
    guard head.method == .GET || head.method == .HEAD else {
      return .refused(.methodNotAllowed, "Only GET is answered.")
    }
    // A proxy may delimit the body differently from this server (request smuggling).
    guard head.headers["transfer-encoding"].isEmpty,
      head.headers["content-length"].allSatisfy({ $0 == "0" })
    else {
      return .refused(.badRequest, "No request here has a body.")
    }
    if needsOrigin {
      let origin = head.headers["origin"]
      guard origin.count == 1, origin[0].lowercased() == own else {
        return .refused(.forbidden, "Another page cannot connect here.")
      }
    }
    // No WebSocket client sends an invalid key.
    let keys = head.headers["sec-websocket-key"]
    guard keys.isEmpty || keys.count == 1 && keys[0].isWebSocketKey else {
      return .refused(.badRequest, "Sec-WebSocket-Key has to be 16 bytes as Base64.")
    }
    let target = RequestTarget(head.uri)
    let place = target.page ?? target.connection
    if admits != nil, place != .inspector || inspector == nil {
      // The pages of the app and of the inspector share their script, style and pictures.
      let isDeveloper =
        place == nil
        && inspector?.browser(in: head.headers, isEncrypted: own.isEncrypted) != nil
      return isDeveloper ? .allowed(Admitted()) : .undecided
    }
    let admissions =
      switch place {
      case .inspector: [inspector ?? viewers]
      case .app: [viewers]
      case nil: [viewers] + (inspector.map { [$0] } ?? [])
      }
    if let given = target.token {
      // After a link on another site the browser withholds its cookie, so the request is repeated.
      let isBrowser = head.method == .GET && !head.isFromAnotherSite
      guard let admission = admissions.first(where: { $0.admits(given, isSpent: isBrowser) }) else {
        return .refused(.forbidden, "The token is wrong; open the address that was printed.")
      }
      if head.isFromAnotherSite { return .stranger }
      // A browser that returns keeps its name.
      let isNew =
        isBrowser
        && admission.browser(in: head.headers, isEncrypted: own.isEncrypted) == nil
      let cookie = isNew ? admission.makeCookie() : nil
      return .newcomer(cookie: cookie.map { line(setting: $0, of: admission, own) })
    }
    for admission in admissions {
      let isEncrypted = own.isEncrypted
      guard let browser = admission.browser(in: head.headers, isEncrypted: isEncrypted) else {
        continue
      }
      let renewed =
        target.page == nil
        ? nil : admission.renewedCookie(in: head.headers, isEncrypted: isEncrypted)
      return .allowed(
        Admitted(browser: browser, cookie: renewed.map { line(setting: $0, of: admission, own) }))
    }
    return .stranger
  }

  /// The verdict on a request after the host has decided.
  ///
  /// - Parameter person: the admitted person; nil if the host admits nobody.
  func verdict(on head: HTTPRequestHead, of person: WebPerson?) -> Verdict {
    guard let person else { return .refused(.forbidden, "You may not come in.") }
    if !person.name.isEmpty { return .allowed(Admitted(person: person.name)) }
    let own = head.headers.first(name: "host").flatMap { origin(ofHost: $0.lowercased()) } ?? ""
    if let browser = viewers.browser(in: head.headers, isEncrypted: own.isEncrypted) {
      return .allowed(Admitted(browser: browser))
    }
    guard head.method == .GET, RequestTarget(head.uri).page != nil else {
      return .allowed(Admitted())
    }
    // The browser may have a cookie, but withhold it.
    if head.isFromAnotherSite { return .stranger }
    return .allowed(Admitted(cookie: line(setting: viewers.makeCookie(), of: viewers, own)))
  }

  /// The value of `Set-Cookie` for a page of this server's origin.
  private func line(setting value: String, of admission: Admission, _ origin: String) -> String {
    let isEncrypted = origin.isEncrypted
    return "\(admission.cookieName(isEncrypted: isEncrypted))=\(value); "
      + "HttpOnly; SameSite=Strict; Path=/" + (isEncrypted ? "; Secure" : "")
      + (admission.isKept ? "; Max-Age=\(Admission.lifetime)" : "")
  }

  private func origin(ofHost host: String) -> String? {
    if let origin = origins[host] { return origin }
    guard let anyAddress, host.hasSuffix(":\(anyAddress.port)"),
      ListeningSocket.isAddress(host.dropLast(":\(anyAddress.port)".count).trimmingBrackets)
    else { return nil }
    return "\(anyAddress.scheme)://\(host)"
  }
}

extension HTTPRequestHead {
  /// Whether the browser reports that a link on another site led here.
  var isFromAnotherSite: Bool {
    headers.first(name: "sec-fetch-site") == "cross-site"
      && headers.first(name: "sec-fetch-mode") == "navigate"
  }
}

extension String {
  /// Whether it is the origin of encrypted pages.
  fileprivate var isEncrypted: Bool { hasPrefix("https:") }

  /// Whether it is 16 bytes as Base64, which RFC 6455 requires of clients.
  fileprivate var isWebSocketKey: Bool {
    guard utf8.count == 24, hasSuffix("==") else { return false }
    return utf8.dropLast(2).allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }
}

extension Substring {
  fileprivate var trimmingBrackets: String {
    hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
  }
}
