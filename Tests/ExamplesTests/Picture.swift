import Foundation
import Testing

/// Compares a picture of an example with the one that is kept in the folder Golden.
///
/// After a wanted change, `TIDELOCK_UPDATE_GOLDEN=1 swift test` writes them anew.
func expectPicture(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = Examples.golden.appending(path: "\(name).txt")
  if ProcessInfo.processInfo.environment["TIDELOCK_UPDATE_GOLDEN"] == "1" {
    try Data((text + "\n").utf8).write(to: file)
    return
  }
  let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  guard text + "\n" != expected else { return }
  Issue.record(
    """
    \(name) does not look as in \(file.lastPathComponent).
    \(difference(text, expected))
    """, sourceLocation: sourceLocation)
}

/// The lines that differ, as they are and as they should be.
private func difference(_ text: String, _ expected: String) -> String {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let wanted = expected.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
  return (0..<max(lines.count, wanted.count)).compactMap { index -> String? in
    let line = index < lines.count ? lines[index] : "(no line)"
    let other = index < wanted.count ? wanted[index] : "(no line)"
    return line == other ? nil : "\(index + 1) is:     \(line)\n\(index + 1) expected: \(other)"
  }.joined(separator: "\n")
}
