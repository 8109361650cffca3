/// A document that the client has open.
package struct Document {
  /// The URI as the client wrote it.
  package let uri: String
  /// The path of the file; for other URI schemes, an unused path in the first root.
  package let path: String
  /// Whether the URI names a file, which need not exist.
  package let isFile: Bool
  /// Whether it belongs to the app. Older versions of a file, which editors show under another
  /// scheme, do not.
  package var isChecked: Bool { isFile || uri.hasPrefix("untitled:") }
  package internal(set) var version: Int?
  package internal(set) var text: TextPositions
}
