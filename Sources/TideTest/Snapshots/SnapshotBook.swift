import FoundationEssentials

/// The snapshots of one spec file, in one text file beside it.
///
///     spec/todo_spec.lua
///     spec/__snapshots__/todo_spec.snap
///
/// Each snapshot has a line with its name and its text, a bar before each line:
///
///     # a list of tasks shows what is open 1
///     | Water the plants
///     | Read the tide table
final class SnapshotBook {
  let file: String
  private var texts: [String: String] = [:]
  private var used: Set<String> = []
  private var written: Set<String> = []

  init(ofSpec spec: String) {
    var parts = spec.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let name = parts.popLast() ?? spec
    let stem = name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    file = (parts + ["__snapshots__", stem + ".snap"]).joined(separator: "/")
    guard let data = try? Data(contentsOf: URL(filePath: file)) else { return }
    texts = Self.read(String(decoding: data, as: UTF8.self))
  }

  /// The text kept by a name; asking counts as using it.
  subscript(name: String) -> String? {
    used.insert(name)
    return texts[name]
  }

  /// Keeps a text, to be written at the end.
  func put(_ text: String, as name: String) {
    if texts[name] == text { return }
    texts[name] = text
    written.insert(name)
  }

  /// Names that no test has asked for.
  var obsolete: [String] { texts.keys.filter { !used.contains($0) }.sorted() }

  /// Writes what is new.
  ///
  /// - Parameter removesObsolete: whether all tests of the file have run, so that what none asked for
  ///   can go.
  /// - Returns: what to tell of it; nil where nothing has changed.
  func save(removesObsolete: Bool) throws -> String? {
    let leaving = removesObsolete ? obsolete : []
    if written.isEmpty && leaving.isEmpty { return nil }
    for name in leaving { texts[name] = nil }
    let manager = FileManager.default
    if texts.isEmpty {
      if manager.fileExists(atPath: file) { try manager.removeItem(atPath: file) }
    } else {
      let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(Self.text(of: texts).utf8).write(to: URL(filePath: file), options: .atomic)
    }
    let parts = [
      written.isEmpty ? nil : "\(written.count) written",
      leaving.isEmpty ? nil : "\(leaving.count) removed",
    ]
    written = []
    return "\(file): \(parts.compactMap { $0 }.joined(separator: ", "))"
  }

  // MARK: The file

  private static let heading =
    "Snapshots, written by `tidelock test -u`. Read the differences before you commit them."

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

  static func read(_ text: String) -> [String: String] {
    var texts: [String: String] = [:]
    var name: String?
    var lines: [Substring] = []
    func end() {
      if let name { texts[name] = lines.joined(separator: "\n") }
      lines = []
    }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.hasPrefix("# ") {
        end()
        name = String(line.dropFirst(2))
      } else if line.hasPrefix("|") {
        let rest = line.dropFirst()
        lines.append(rest.first == " " ? rest.dropFirst() : rest)
      }
    }
    end()
    return texts
  }
}
