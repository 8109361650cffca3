/// Why no test can be run at all.
package struct TestSetupError: Error {
  package let message: String
  /// Whether the command line is wrong, rather than a file.
  package let isUsage: Bool

  package init(_ message: String, isUsage: Bool = false) {
    self.message = message
    self.isUsage = isUsage
  }
}

extension TestSetupError: CustomStringConvertible {
  package var description: String { message }
}
