import NIOHTTP1
import Synchronization
import TideSystem

/// Which requests the server answers: those of a page of its own, by a person who may come in.
struct RequestRules: Sendable {
  /// By `host:port` as browsers may name the server, the origin of its pages under that name.
  var origins: [String: String]
  /// Of a server that listens at all addresses of the machine: a browser may name any number of an
  /// address, which nobody else can have lead here.
  var anyAddress: AnyAddress?
  let token: String
  /// Admits the browser that the program itself starts. Others on the machine may see the address
  /// of that, so it works once.
  let oneTimeToken: OneTimeToken
  /// Cookies know no ports, so each server has a name for its own.
  let cookie: String
  /// Decides in place of the token; nil for the token.
  var admits: (@Sendable (WebRequest) async -> Bool)?

  struct AnyAddress: Sendable {
    let port: Int
    let scheme: String
  }

  enum Verdict: Equatable {
    case allowed
    /// Somebody else has to be asked.
    case undecided
    /// The token stands in the address, and is exchanged for the cookie.
    case newcomer(isSecure: Bool)
    /// Neither a cookie nor a token lets it in.
    case stranger
    case refused(HTTPResponseStatus, String)
  }

  /// - Parameter needsOrigin: whether the request has to name the page that makes it.
  func verdict(on head: HTTPRequestHead, needsOrigin: Bool) -> Verdict {
    // Another name that leads here is one that somebody else has chosen.
    let host = head.headers["host"]
    guard host.count == 1, let own = origin(ofHost: host[0].lowercased()) else {
      return .refused(.misdirectedRequest, "This server does not go by that name.")
    }
    guard head.method == .GET || head.method == .HEAD else {
      return .refused(.methodNotAllowed, "Only GET is answered.")
    }
    if needsOrigin {
      let origin = head.headers["origin"]
      guard origin.count == 1, origin[0].lowercased() == own else {
        return .refused(.forbidden, "Another page cannot connect here.")
      }
    }
    if admits != nil { return .undecided }
    if let given = Self.token(in: head.uri) {
      return Self.isSame(given, token) || oneTimeToken.takes(given)
        ? .newcomer(isSecure: own.hasPrefix("https:"))
        : .refused(.forbidden, "The token is wrong; open the address that was printed.")
    }
    return hasCookie(head.headers) ? .allowed : .stranger
  }

  private func origin(ofHost host: String) -> String? {
    if let origin = origins[host] { return origin }
    guard let anyAddress, host.hasSuffix(":\(anyAddress.port)"),
      ListeningSocket.isAddress(host.dropLast(":\(anyAddress.port)".count).trimmingBrackets)
    else { return nil }
    return "\(anyAddress.scheme)://\(host)"
  }

  private func hasCookie(_ headers: HTTPHeaders) -> Bool {
    for line in headers["cookie"] {
      for pair in line.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookie else { continue }
        if Self.isSame(String(parts[1]), token) { return true }
      }
    }
    return false
  }

  private static func token(in uri: String) -> String? {
    guard let query = uri.firstIndex(of: "?") else { return nil }
    let rest = uri[query...]
    let start = "?token="
    return rest.hasPrefix(start) ? String(rest.dropFirst(start.count)) : nil
  }

  /// Takes as long for a guess that is nearly right as for any other of that length.
  fileprivate static func isSame(_ guess: String, _ secret: String) -> Bool {
    let (guess, secret) = (Array(guess.utf8), Array(secret.utf8))
    guard guess.count == secret.count else { return false }
    return zip(guess, secret).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Substring {
  fileprivate var trimmingBrackets: String {
    hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
  }
}

/// A token that admits one browser.
final class OneTimeToken: Sendable {
  let text = Secret.make()
  private let isTaken = Atomic(false)

  func takes(_ guess: String) -> Bool {
    RequestRules.isSame(guess, text) && !isTaken.exchange(true, ordering: .relaxed)
  }
}

/// Secrets that nobody guesses.
enum Secret {
  /// 128 bits in hexadecimal, from the system's generator.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
