/// How long a name, a path or an expression may be, which the engine reads without a look at the
/// turn's clock, and much of which goes into messages.
///
/// No program writes longer ones; a script can make one of any length in no time.
package enum TextLimit {
  package static let bytes = 64 << 10
  /// Of a path: each is looked up and followed.
  package static let steps = 1000
  /// Of the name of an event, which every runtime of the process knows from then on.
  package static let eventBytes = 1024

  /// Throws `badArgument` for a text that is too long; `what` begins the message: "a path".
  package static func check(
    _ text: String, _ what: String, most: Int = bytes
  ) throws(TideError) {
    try check(bytes: text.utf8.count, what, most: most)
  }

  /// The same of text that has not been read so far.
  package static func check(
    bytes count: Int, _ what: String, most: Int = bytes
  ) throws(TideError) {
    if count <= most { return }
    throw TideError(.badArgument, "\(what) \(excess(count, most))")
  }

  /// What is wrong with a text of so many bytes, and what to do.
  static func excess(_ count: Int, _ most: Int = bytes) -> String {
    "may have \(most) bytes, and this one has \(count); make it shorter"
  }
}

extension String {
  /// Of a name that is not known, and so may be anything, what fits a message.
  package var inMessage: String {
    let limit = 200
    if utf8.count <= limit { return self }
    return beginning(limit / 4) + "… (\(utf8.count) bytes in all)"
  }

  /// So many code points at most. A character may be made of any number of them.
  package func beginning(_ count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
