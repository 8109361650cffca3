/// The maximum length of names, paths and expressions. The engine reads these without checking the
/// turn's clock, and much of them appears in messages.
///
/// No program needs longer ones, but a script can make a text of any length in no time.
package enum TextLimit {
  package static let bytes = 64 << 10
  /// The number of steps of a path. Each one is looked up and followed.
  package static let steps = 1000
  /// The size of an event's name, which every runtime of the process keeps from then on.
  package static let eventBytes = 1024

  /// Throws `badArgument` for a text that is too long. `what` begins the message: "a path".
  package static func check(
    _ text: String, _ what: String, most: Int = bytes
  ) throws(TideError) {
    try check(bytes: text.utf8.count, what, most: most)
  }

  /// Like `check(_:_:most:)`, for a text that has not been read yet.
  package static func check(
    bytes count: Int, _ what: String, most: Int = bytes
  ) throws(TideError) {
    if count <= most { return }
    throw TideError(.badArgument, "\(what) \(excess(count, most))")
  }

  /// The error message for a text of `count` bytes, with advice.
  static func excess(_ count: Int, _ most: Int = bytes) -> String {
    "may have \(most) bytes, and this one has \(count); make it shorter"
  }
}

extension String {
  /// The name for a message. An unknown name may be anything, so a long one is truncated.
  package var inMessage: String {
    let limit = 200
    if utf8.count <= limit { return self }
    return beginning(limit / 4) + "… (\(utf8.count) bytes in all)"
  }

  /// At most `count` code points. A character may consist of any number of them.
  package func beginning(_ count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
