import TideBindings
import TideSystem

/// A folder with a plugin's files, which records what was written.
///
/// This allows updating an older version without losing the user's changes.
struct PluginFolder {
  let path: String

  /// The file that lists the written files with their checksums.
  private static let record = ".written"

  private var writer: FolderWriter { FolderWriter(folder: path) }

  /// Files whose contents differ both from the new version and from what was last written.
  func changes(from files: [(name: String, text: String)]) -> [String] {
    let written = self.written
    return files.filter { file in
      guard let bytes = writer.bytes(of: file.name) else { return false }
      return bytes != Array(file.text.utf8) && bytes.crc32 != written[file.name]
    }.map(\.name)
  }

  /// Writes the files, and removes unchanged files of the previous version that are obsolete.
  func write(_ files: [(name: String, text: String)]) throws(TideError) {
    let names = Set(files.map(\.name))
    for (name, checksum) in written where !names.contains(name) {
      if let bytes = writer.bytes(of: name), bytes.crc32 == checksum { writer.remove(name) }
    }
    for file in files { try writer.replace(Array(file.text.utf8), file.name) }
    let lines = files.map { "\(Array($0.text.utf8).crc32) \($0.name)\n" }
    try writer.replace(Array(lines.joined().utf8), Self.record)
  }

  /// The checksums of the files written last time, by name.
  private var written: [String: UInt32] {
    let text = String(decoding: writer.bytes(of: Self.record) ?? [], as: UTF8.self)
    var sums: [String: UInt32] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      // Ignores paths outside of the folder, in case the record was manipulated.
      guard parts.count == 2, !parts[1].hasPrefix("/"), !parts[1].contains("..") else { continue }
      sums[String(parts[1])] = UInt32(parts[0])
    }
    return sums
  }
}
