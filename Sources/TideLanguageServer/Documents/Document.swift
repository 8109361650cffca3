/// A document that the client has open.
package struct Document {
  /// As the client wrote it.
  package let uri: String
  /// The path of the file; for another scheme, a path in the first root that no file has.
  package let path: String
  /// Whether the URI names a file, which need not exist.
  package let isFile: Bool
  /// Whether it belongs to the app: an older version of a file, which editors show beside the file
  /// under another scheme, does not.
  package var isChecked: Bool { isFile || uri.hasPrefix("untitled:") }
  package internal(set) var version: Int?
  package internal(set) var text: TextPositions
}
