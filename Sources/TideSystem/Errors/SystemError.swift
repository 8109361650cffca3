/// A call that the system refused.
///
/// ```swift
/// do { _ = try EventLoop() } catch { print(error.message, error.number) }
/// ```
public struct SystemError: Error, Sendable, CustomStringConvertible {
  /// What cannot be done and why, for people.
  public var message: String
  /// The system's number of the reason, as `ENOENT`; 0 where it gave none.
  public let number: Int32

  /// - Parameter reason: what to say in place of the system's own words.
  package init(_ message: String, number: Int32, reason: String? = nil) {
    self.message = "\(message): \(reason ?? SystemText.of(number))"
    self.number = number
  }

  /// One of which no call was the cause.
  package init(_ message: String) {
    self.message = message
    number = 0
  }

  /// The message.
  public var description: String { message }
}

/// The system's messages for its error numbers.
package enum SystemText {
  package static func of(_ number: Int32) -> String { String(cString: strerror(number)) }
}
