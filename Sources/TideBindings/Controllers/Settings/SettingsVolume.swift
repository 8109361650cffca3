import TideSystem

/// Limits the disk space of one app's settings: of all files in their folder together, whichever
/// run of the app has written them.
///
/// The folder is scanned once, at the first write. From then on, only controllers that share this
/// object write there.
package final class SettingsVolume {
  private let folder: String
  let bytes: Int
  /// The size of each file, by its path.
  private var sizes: [String: Int]?

  /// The maximum number of files. An app needs no more, and a script can make up any number of
  /// names.
  private static let mostFiles = 100
  /// The minimum size of a file on disk.
  private static let block = 4096

  package init(folder: String, bytes: Int) {
    self.folder = folder
    self.bytes = bytes
  }

  /// Throws if a file of this size would exceed the limit.
  func admit(_ size: Int, at path: String) throws(TideError) {
    let known = sizes ?? look()
    sizes = known
    let name = SettingsFile.name(ofFile: path)
    if known[path] == nil, known.count >= Self.mostFiles {
      throw SettingsFile.error(
        "the settings in \(name) are not written: there are \(known.count) files in their folder"
          + " already, which are as many as an app may have; remove those that are not needed", path
      )
    }
    let others = known.reduce(0) { $0 + ($1.key == path ? 0 : max(Self.block, $1.value)) }
    if others + max(Self.block, size) <= bytes { return }
    let length = size > bytes ? "more than \(bytes)" : "\(size)"
    throw SettingsFile.error(
      "the settings in \(name) are not written: with \(length) bytes, and \(others) in other files of"
        + " the app's, they are more than the \(bytes) that it may keep; keep less in them, or raise"
        + " the limit \"settings\"", path)
  }

  func note(_ size: Int, at path: String) { sizes?[path] = size }

  /// Called when file names have changed: scans the folder again before the next write.
  func forget() { sizes = nil }

  private func look() -> [String: Int] {
    guard let stream = opendir(folder) else { return [:] }
    defer { closedir(stream) }
    var found: [String: Int] = [:]
    while found.count <= Self.mostFiles, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      let path = folder + "/" + name
      if lstat(path, &status) == 0 { found[path] = Int(status.st_size) }
    }
    return found
  }
}
