/// The file behind the name in an error's message: the error's cause.
///
/// Scripts can read messages and places, and are told names. Where a file lies says whose machine
/// this is, which is for the person alone.
package struct UnderlyingFile: Error {
  package let path: String
}

extension TideError {
  /// Where the file lies that the message names; nil where that is no secret.
  public var underlyingPath: String? { (cause as? UnderlyingFile)?.path }
}
