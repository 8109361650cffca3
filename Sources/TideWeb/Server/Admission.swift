import NIOHTTP1
import Synchronization
import TideSystem

/// Admits browsers: a token in an address is exchanged for a cookie with another value.
///
/// ```swift
/// let admission = Admission(cookie: "tidelock-8765")
/// admission.text                               // the token, for an address
/// let value = admission.makeCookie()           // of one browser
/// admission.browser(in: headers)               // its name, by that cookie; nil for a stranger
/// ```
///
/// A cookie consists of the browser's name, the time at which it was issued and an authentication
/// code of both. The key of the code is independent of the token. A cookie is valid for 30 days. If
/// the token and the key are stored, the cookie stays valid after the server ends, and is renewed
/// when its browser returns. Browsers send the cookies of a host to each of its ports, so other
/// servers may see one, but cannot derive the token from it.
///
/// Other servers of the host and of its domain can also set a cookie of this name. An encrypted
/// page's cookie therefore has the prefix `__Host-`: browsers accept it only from this host and
/// over TLS. If the cookies of a request name several browsers, none is valid.
struct Admission: Sendable {
  /// The token.
  let text: String
  /// A token that admits one browser, which the program itself starts. Others on the machine may
  /// see that browser's arguments.
  let oneTime = OneTimeToken()
  /// The name of the cookie. Cookies do not distinguish ports, so each server has its own name.
  private let cookieName: String
  /// Whether cookies stay valid for the server's next run.
  let isKept: Bool
  private let key: [UInt8]
  private let now: @Sendable () -> Int

  /// - Parameters:
  ///   - kept: the stored token and key; nil to make new ones for this run.
  ///   - now: the seconds since the beginning of 1970.
  init(
    cookie: String, kept: KeptToken? = nil, now: @escaping @Sendable () -> Int = { time(nil) }
  ) {
    text = kept?.token ?? Secret.make()
    cookieName = cookie
    isKept = kept != nil
    key = kept.map { Array($0.key.utf8) } ?? Secret.bytes(32)
    self.now = now
  }

  /// The name of the cookie of a page.
  func cookieName(isEncrypted: Bool) -> String { (isEncrypted ? "__Host-" : "") + cookieName }

  /// Whether a token in an address is right.
  ///
  /// - Parameter isSpent: whether the check uses up a one-time token.
  func admits(_ guess: String, isSpent: Bool) -> Bool {
    Secret.isSame(guess, text) || (isSpent ? oneTime.takes(guess) : oneTime.isReady(for: guess))
  }

  /// The cookie of a new browser.
  func makeCookie() -> String { cookie(of: Secret.bytes(Self.nameSize).hexadecimal) }

  private func cookie(of name: String) -> String {
    let start = name + Self.text(ofTime: now())
    return start + code(of: start)
  }

  /// The browser that a request's cookie names; nil without a valid cookie of this server.
  func browser(in headers: HTTPHeaders, isEncrypted: Bool = false) -> String? {
    pass(in: headers, isEncrypted)?.name
  }

  /// A new cookie for the same browser; nil if the request's cookie is recent enough.
  func renewedCookie(in headers: HTTPHeaders, isEncrypted: Bool = false) -> String? {
    guard let pass = pass(in: headers, isEncrypted), pass.age > Self.timeOfRenewal else {
      return nil
    }
    return cookie(of: pass.name)
  }

  /// The content of a request's cookie; nil if cookies name different browsers. Then an attacker
  /// may have planted one of them, to share its session.
  private func pass(
    in headers: HTTPHeaders, _ isEncrypted: Bool
  ) -> (name: String, age: Int)? {
    let wanted = cookieName(isEncrypted: isEncrypted)
    var found: (name: String, age: Int)?
    for line in headers["cookie"] {
      for pair in line.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == wanted,
          let pass = pass(parts[1])
        else { continue }
        if let found, found.name != pass.name { return nil }
        if pass.age < found?.age ?? .max { found = pass }
      }
    }
    return found
  }

  private func pass(_ value: Substring) -> (name: String, age: Int)? {
    let start = String(value.prefix(2 * Self.nameSize + Self.timeSize))
    guard Secret.isSame(String(value.dropFirst(start.count)), code(of: start)),
      let time = Int(start.suffix(Self.timeSize), radix: 16)
    else { return nil }
    let age = now() - time
    // A clock may also have been set back.
    guard abs(age) <= Self.lifetime else { return nil }
    return (String(start.prefix(2 * Self.nameSize)), age)
  }

  private func code(of start: String) -> String {
    SHA256.authenticationCode(of: Array(start.utf8), key: key).prefix(16).hexadecimal
  }

  private static func text(ofTime time: Int) -> String {
    let digits = String(max(0, time), radix: 16)
    return String(repeating: "0", count: max(0, timeSize - digits.count)) + digits
  }

  /// In seconds.
  static let lifetime = 30 * 24 * 3600
  private static let timeOfRenewal = 24 * 3600
  /// In bytes.
  private static let nameSize = 8
  /// In hexadecimal digits.
  private static let timeSize = 10
}

/// A token that admits one browser.
final class OneTimeToken: Sendable {
  let text = Secret.make()
  private let isTaken = Atomic(false)

  /// Whether the guess is right and the token is still unused.
  func isReady(for guess: String) -> Bool {
    Secret.isSame(guess, text) && !isTaken.load(ordering: .relaxed)
  }

  func takes(_ guess: String) -> Bool {
    Secret.isSame(guess, text) && !isTaken.exchange(true, ordering: .relaxed)
  }
}

/// Random secrets.
enum Secret {
  /// 128 bits in hexadecimal.
  static func make() -> String { bytes(length / 2).hexadecimal }

  /// The length in hexadecimal digits.
  static let length = 32

  /// Random bytes from the system's generator.
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Compares in constant time for guesses of the right length.
  static func isSame(_ guess: String, _ secret: String) -> Bool {
    let (guess, secret) = (Array(guess.utf8), Array(secret.utf8))
    guard guess.count == secret.count else { return false }
    return zip(guess, secret).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
