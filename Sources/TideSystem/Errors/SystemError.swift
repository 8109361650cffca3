/// A failed system call.
///
/// ```swift
/// do { _ = try EventLoop() } catch { print(error.message, error.number) }
/// ```
public struct SystemError: Error, Sendable, CustomStringConvertible {
  /// The failed operation and the reason, as text for people.
  public var message: String
  /// The `errno` value, such as `ENOENT`; 0 if there is none.
  public let number: Int32

  /// - Parameter reason: replaces the system's own message.
  package init(_ message: String, number: Int32, reason: String? = nil) {
    self.message = "\(message): \(reason ?? SystemText.of(number))"
    self.number = number
  }

  /// An error without a failed system call.
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
