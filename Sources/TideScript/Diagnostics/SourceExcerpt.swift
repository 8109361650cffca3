import TideBindings
import TideGraph
import TideSystem
import TideValues
import TideViews

/// The line of a script that an error is about, cut to what fits a screen, and what goes before a
/// caret below it.
struct SourceExcerpt {
  /// The line without control characters.
  let text: String
  /// As wide as what stands before the column.
  let indent: String
  /// In characters from 1.
  let column: Int
  /// What stands on the line before the column.
  let head: [UInt8]

  private static let before = 60
  private static let after = 40
  /// Longer files are no scripts.
  private static let sizeLimit = 16 << 20

  /// - Returns: nil where the file was never read as a script, or cannot be read now, or the line
  ///   is not there or blank.
  init?(_ location: SourceLocation, naming message: String) {
    guard ReadSources.contains(location.file),
      let line = Self.line(location.line, of: location.file),
      line.contains(where: { $0 > UInt8(ascii: " ") })
    else { return nil }
    self.init(line: line, byteColumn: location.column, naming: message)
  }

  init(line: [UInt8], byteColumn: Int?, naming message: String) {
    let offset =
      if let byteColumn {
        min(max(0, byteColumn - 1), line.count)
      } else {
        CulpritFinder.offset(in: line, of: message)
      }
    self.head = Array(line[..<offset])
    let head = Array(Self.printable(line[..<offset]))
    let tail = Array(Self.printable(line[offset...]))
    column = head.count + 1
    let isHeadCut = head.count > Self.before
    let isTailCut = tail.count > Self.after
    let shownHead = (isHeadCut ? "…" : "") + String(head.suffix(Self.before))
    text = shownHead + String(tail.prefix(Self.after)) + (isTailCut ? "…" : "")
    indent = String(repeating: " ", count: CharacterWidth.of(shownHead))
  }

  /// Tabs and other control characters as blanks, so that the caret stands where it should.
  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.steersTerminals || $0 == "\t" ? " " : $0 }))
  }

  private static func line(_ number: Int, of path: String) -> [UInt8]? {
    contents(of: path).flatMap { ScriptLines($0).text(of: number) }
  }

  private static func contents(of path: String) -> [UInt8]? {
    let file = ReadableFile.open(path, O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= sizeLimit
    else { return nil }
    let count = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, read(file, buffer.baseAddress, count))
    }
  }
}

/// The script files that this process has read as scripts, by the paths with which they were
/// opened.
///
/// A chunk's name is whatever its script says it is, and so is the location of the errors in it. A
/// person is shown lines of these files only, and not of what else a name may lead to.
package enum ReadSources {
  private static let paths = Guarded<Set<String>>([])

  package static func note(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  static func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
}
