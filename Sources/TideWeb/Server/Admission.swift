import NIOHTTP1
import Synchronization
import TideSystem

/// Lets browsers in: a token that stands in an address is exchanged for a cookie of another value.
///
/// ```swift
/// let admission = Admission(cookie: "tidelock-8765")
/// admission.text                               // the token, for an address
/// let value = admission.makeCookie()           // of one browser
/// admission.browser(in: headers)               // its name, by that cookie; nil for a stranger
/// ```
///
/// A cookie is the browser's name and an authentication code of it, whose key no one else has and
/// which ends with the server. Browsers send cookies of a host to each of its ports, so other
/// servers may see one; none of them learns the token by it.
struct Admission: Sendable {
  /// The token.
  let text: String
  /// A token that admits one browser, which the program itself starts: others on the machine may
  /// see with which address.
  let oneTime = OneTimeToken()
  /// The name of the cookie. Cookies know no ports, so each server has a name for its own.
  let cookieName: String
  private let key: [UInt8]

  init(cookie: String, token: String = Secret.make()) {
    text = token
    cookieName = cookie
    key = Secret.bytes(32)
  }

  /// Whether a token in an address is right.
  ///
  /// - Parameter isSpent: whether a token that works once has worked by this.
  func admits(_ guess: String, isSpent: Bool) -> Bool {
    Secret.isSame(guess, text) || (isSpent ? oneTime.takes(guess) : oneTime.isReady(for: guess))
  }

  /// The cookie of a new browser.
  func makeCookie() -> String {
    let name = Secret.bytes(Self.nameSize).hexadecimal
    return name + code(of: name)
  }

  /// The browser whose cookie a request has; nil where it has none of this server's.
  func browser(in headers: HTTPHeaders) -> String? {
    for line in headers["cookie"] {
      for pair in line.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookieName else { continue }
        let name = String(parts[1].prefix(2 * Self.nameSize))
        if Secret.isSame(String(parts[1].dropFirst(2 * Self.nameSize)), code(of: name)) {
          return name
        }
      }
    }
    return nil
  }

  private func code(of name: String) -> String {
    SHA256.authenticationCode(of: Array(name.utf8), key: key).prefix(16).hexadecimal
  }

  /// In bytes.
  private static let nameSize = 8
}

/// A token that admits one browser.
final class OneTimeToken: Sendable {
  let text = Secret.make()
  private let isTaken = Atomic(false)

  /// Whether it would admit the browser.
  func isReady(for guess: String) -> Bool {
    Secret.isSame(guess, text) && !isTaken.load(ordering: .relaxed)
  }

  func takes(_ guess: String) -> Bool {
    Secret.isSame(guess, text) && !isTaken.exchange(true, ordering: .relaxed)
  }
}

/// Secrets that nobody guesses.
enum Secret {
  /// 128 bits in hexadecimal.
  static func make() -> String { bytes(16).hexadecimal }

  /// From the system's generator.
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Takes as long for a guess that is nearly right as for any other of that length.
  static func isSame(_ guess: String, _ secret: String) -> Bool {
    let (guess, secret) = (Array(guess.utf8), Array(secret.utf8))
    guard guess.count == secret.count else { return false }
    return zip(guess, secret).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
