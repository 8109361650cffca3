import TideBindings
import TideGraph
import TideSystem
import TideValues
import TideViews

/// The script line of an error, cut to fit a screen, and the indentation of a caret below it.
struct SourceExcerpt {
  /// The line without control characters.
  let text: String
  /// Blanks as wide as the text before the column.
  let indent: String
  /// In characters from 1. On a long line, characters far to the left count as bytes.
  let column: Int
  /// The part of the line shortly before the column.
  let head: [UInt8]

  private static let before = 60
  private static let after = 40
  /// The most bytes examined on either side of an error.
  private static let reach = 4096
  /// Longer files are not scripts.
  private static let sizeLimit = 16 << 20

  /// - Returns: nil if the file was never read as a script or cannot be read now, or if the line is
  ///   missing or blank.
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
    // Limited to the surroundings, since a file of one long line may have many errors.
    let start = Self.start(near: offset, in: line)
    let end = min(line.count, offset + Self.reach)
    self.head = Array(line[start..<offset])
    let head = Array(Self.printable(line[start..<offset]))
    let tail = Array(Self.printable(line[offset..<end]))
    column = start + head.count + 1
    let isHeadCut = start > 0 || head.count > Self.before
    let isTailCut = end < line.count || tail.count > Self.after
    let shownHead = (isHeadCut ? "…" : "") + String(head.suffix(Self.before))
    text = shownHead + String(tail.prefix(Self.after)) + (isTailCut ? "…" : "")
    indent = String(repeating: " ", count: CharacterWidth.of(shownHead))
  }

  /// The start of the examined part of a line, at a character boundary.
  private static func start(near offset: Int, in line: [UInt8]) -> Int {
    var start = max(0, offset - reach)
    while start > 0, start < offset, line[start] & 0xc0 == 0x80 { start += 1 }
    return start
  }

  /// Replaces tabs and other control characters with blanks, so that the caret is aligned.
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

/// The files that this process has read as scripts, by the paths with which they were opened.
///
/// A script can choose any chunk name, and with it the location of its errors. Only lines of these
/// files are shown, so that no other file's content can leak.
package enum ReadSources {
  private static let state = Guarded<(paths: Set<String>, count: Int)>(([], 0))

  package static func note(_ path: String) {
    state.withLock {
      $0.paths.insert(path)
      $0.count += 1
    }
  }

  static func contains(_ path: String) -> Bool { state.withLock { $0.paths.contains(path) } }

  /// The number of times that a file was read.
  package static var count: Int { state.withLock { $0.count } }
}
