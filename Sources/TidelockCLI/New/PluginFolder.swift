import TideBindings
import TideSystem

/// A folder with the files of a plugin, which remembers what was written to it.
///
/// So a newer version can take the place of an older one, and what a person has changed is not
/// lost.
struct PluginFolder {
  let path: String

  /// The file with the names of those that were written, and their checksums.
  private static let record = ".written"

  private var writer: FolderWriter { FolderWriter(folder: path) }

  /// Names of files that hold something else than what is to be written and than what was written
  /// the last time.
  func changes(from files: [(name: String, text: String)]) -> [String] {
    let written = self.written
    return files.filter { file in
      guard let bytes = writer.bytes(of: file.name) else { return false }
      return bytes != Array(file.text.utf8) && bytes.crc32 != written[file.name]
    }.map(\.name)
  }

  /// Writes the files, and removes those of the last time that are none of them and unchanged.
  func write(_ files: [(name: String, text: String)]) throws(TideError) {
    let names = Set(files.map(\.name))
    for (name, checksum) in written where !names.contains(name) {
      if let bytes = writer.bytes(of: name), bytes.crc32 == checksum { writer.remove(name) }
    }
    for file in files { try writer.replace(Array(file.text.utf8), file.name) }
    let lines = files.map { "\(Array($0.text.utf8).crc32) \($0.name)\n" }
    try writer.replace(Array(lines.joined().utf8), Self.record)
  }

  /// The checksums of the files that were written the last time, by their names.
  private var written: [String: UInt32] {
    let text = String(decoding: writer.bytes(of: Self.record) ?? [], as: UTF8.self)
    var sums: [String: UInt32] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      // Nothing outside of the folder is touched, whatever somebody has written there.
      guard parts.count == 2, !parts[1].hasPrefix("/"), !parts[1].contains("..") else { continue }
      sums[String(parts[1])] = UInt32(parts[0])
    }
    return sums
  }
}
