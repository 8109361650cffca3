import FoundationEssentials
import TideBindings
import TideSystem

/// The snapshots of one spec file, stored in one text file.
///
///     spec/todo_spec.lua
///     spec/__snapshots__/todo_spec.snap
///
/// Each snapshot has a line with its name, followed by its text with a bar before each line:
///
///     # a list of tasks shows what is open 1
///     | Water the plants
///     | Read the tide table
package final class SnapshotBook {
  let file: String
  /// The error in the file's format, for example after a manual edit.
  private(set) var problem: String?
  private var texts: [String: String] = [:]
  private var used: Set<String> = []
  private var written: Set<String> = []
  /// Whether the file lies outside of the folders that a sandboxed run is confined to.
  private let isOutside: Bool
  /// The total size of names and texts in bytes.
  private var volume = 0

  /// The limits of one snapshot file. A larger file is an error, and none of its snapshots is
  /// compared.
  package static let mostTexts = 10_000
  package static let mostBytes = 16 << 20

  init(ofSpec spec: String, within bounds: ProjectBounds? = nil) {
    let name = spec.split(separator: "/").last.map(String.init) ?? spec
    let stem = name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    file = "\(Self.folder(ofSpec: spec))/\(stem).snap"
    isOutside = bounds?.contains(file) == false
    if isOutside {
      problem = "\(file) leads out of the project, which --sandbox keeps to"
      return
    }
    // Twice the limit, to allow for the prefixes of lines.
    if Self.size(ofFile: file) > 2 * Self.mostBytes {
      problem =
        "\(file) has more than \(2 * Self.mostBytes >> 20) MiB, too large for a snapshot file;"
        + " remove it, and write them anew with -u"
      return
    }
    guard let data = try? Data(contentsOf: URL(filePath: file)) else { return }
    let page = Page(Array(data))
    texts = page.texts
    volume = texts.reduce(0) { $0 + Self.size($1.key, $1.value) }
    problem = page.problem.map { "\(file):\($0.line): \"\($0.text)\" is not a line of a snapshot" }
  }

  /// The folder for the snapshots of a spec file, beside it.
  package static func folder(ofSpec spec: String) -> String {
    let parts = spec.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return (parts + ["__snapshots__"]).joined(separator: "/")
  }

  /// The stored text of a snapshot. Reading marks it as used.
  subscript(name: String) -> String? {
    used.insert(name)
    return texts[name]
  }

  /// Stores a text, to be written at the end.
  ///
  /// Throws `full` if the limit of the snapshot file is exceeded.
  func put(_ text: String, as name: String) throws(TideError) {
    let kept = texts[name]
    // Compares bytes, because equal strings may consist of different code points.
    if let kept, kept.utf8.elementsEqual(text.utf8) { return }
    let volume = volume + Self.size(name, text) - (kept.map { Self.size(name, $0) } ?? 0)
    if volume > Self.mostBytes {
      throw TideError(
        .full,
        "the snapshots of one spec file have at most \(Self.mostBytes >> 20) MiB, and \"\(name.beginning)\""
          + " would make them \(volume) bytes; take pictures of less, or cut the spec in two")
    }
    if kept == nil, texts.count >= Self.mostTexts {
      throw TideError(
        .full,
        "a spec file has at most \(Self.mostTexts) snapshots, and \"\(name.beginning)\" would be one"
          + " more; remove obsolete ones with -u, or cut the spec in two")
    }
    texts[name] = text
    self.volume = volume
    written.insert(name)
  }

  private static func size(_ name: String, _ text: String) -> Int {
    name.utf8.count + text.utf8.count
  }

  private static func size(ofFile path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Names of snapshots that no test has used.
  var obsolete: [String] { texts.keys.filter { !used.contains($0) }.sorted() }

  /// Writes the file if it has changed.
  ///
  /// - Parameter removesObsolete: whether all tests of the file have run, so that unused snapshots
  ///   can be removed.
  /// - Returns: a message for the user; nil if nothing has changed.
  /// - Throws: `TestSetupError` if the file cannot be written.
  func save(removesObsolete: Bool) throws -> String? {
    let leaving = removesObsolete ? obsolete : []
    if isOutside, let problem { throw TestSetupError(problem) }
    if written.isEmpty && leaving.isEmpty && problem == nil { return nil }
    for name in leaving {
      if let text = texts.removeValue(forKey: name) { volume -= Self.size(name, text) }
    }
    do { try write() } catch {
      throw TestSetupError("\(file) cannot be written: \(Self.reason(for: error))")
    }
    let parts = [
      written.isEmpty ? nil : "\(written.count) written",
      leaving.isEmpty ? nil : "\(leaving.count) removed",
      problem == nil ? nil : "mended",
    ]
    written = []
    return "\(file): \(parts.compactMap { $0 }.joined(separator: ", "))"
  }

  private func write() throws {
    let manager = FileManager.default
    if texts.isEmpty {
      if manager.fileExists(atPath: file) { try manager.removeItem(atPath: file) }
    } else {
      let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(Self.text(of: texts).utf8).write(to: URL(filePath: file), options: .atomic)
    }
  }

  private static func reason(for error: any Error) -> String {
    let cause = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
    return cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
  }

  // MARK: The file

  private static let heading =
    "Snapshots, written by `tidelock test -u`. Read the differences before you commit them."

  /// Whether a file begins with the heading of snapshot files.
  static func isSnapshotFile(_ file: String) -> Bool {
    let data = try? Data(contentsOf: URL(filePath: file))
    return data?.starts(with: heading.utf8) == true
  }

  static func text(of texts: [String: String]) -> String {
    var lines = [heading]
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
      lines += ["", "# \(name)"]
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        lines.append(line.isEmpty ? "|" : "| \(line)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Parses a file's text. It works on bytes, since a snapshot may contain any character, also a
  /// line separator or one that combines with the preceding bar.
  private struct Page {
    private(set) var texts: [String: String] = [:]
    /// The first line that does not belong to a snapshot, such as a merge conflict marker.
    private(set) var problem: (line: Int, text: String)?
    private var name: String?
    private var lines: [ArraySlice<UInt8>] = []
    private var isWhole = true

    init(_ bytes: [UInt8]) {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        // The file may have been checked out with Windows line ends.
        read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, index + 1)
      }
      end()
    }

    private mutating func read(_ line: ArraySlice<UInt8>, _ number: Int) {
      if line.starts(with: "# ".utf8) {
        end()
        name = String(decoding: line.dropFirst(2), as: UTF8.self)
      } else if line.first == UInt8(ascii: "|"), name != nil {
        let rest = line.dropFirst()
        lines.append(rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest)
      } else if !line.isEmpty && number > 1 {
        problem = problem ?? (number, String(decoding: line, as: UTF8.self))
        isWhole = false
      }
    }

    /// Incomplete snapshots are omitted, so that they count as missing.
    private mutating func end() {
      if let name, isWhole {
        texts[name] = String(decoding: Array(lines.joined(separator: "\n".utf8)), as: UTF8.self)
      }
      (name, lines, isWhole) = (nil, [], true)
    }
  }
}

extension String {
  /// The start of a name, for messages.
  fileprivate var beginning: String { utf8.count <= 200 ? self : String(prefix(80)) + "…" }
}

/// Snapshot files whose spec file no longer exists.
///
///     spec/__snapshots__/old_spec.snap     but no spec/old_spec.lua
enum ObsoleteSnapshots {
  /// The obsolete files in the searched folders.
  static func find(in folders: [String]) -> [String] {
    folders.flatMap { folder -> [String] in
      guard folder.hasSuffix("/__snapshots__") else { return [] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let specs = folder.dropLast("__snapshots__".count)
      return names.sorted().compactMap { name in
        guard name.hasSuffix(".snap") else { return nil }
        let spec = "\(specs)\(name.dropLast(".snap".count)).lua"
        let file = "\(folder)/\(name)"
        // Other test runners use the same folder and file names.
        let isObsolete =
          !FileManager.default.fileExists(atPath: spec) && SnapshotBook.isSnapshotFile(file)
        return isObsolete ? file : nil
      }
    }
  }

  /// Removes obsolete files if requested. Returns a message for each.
  static func tell(of folders: [String], removing: Bool) -> [String] {
    find(in: folders).map { file in
      if !removing { return "\(file) is of a spec that is gone; -u removes it" }
      do { try FileManager.default.removeItem(atPath: file) } catch {
        return "\(file) is of a spec that is gone, and cannot be removed"
      }
      return "\(file): removed, because its spec is gone"
    }
  }
}
