import TideSystem

/// How much the settings of one app may take on the disk: all files of their folder together,
/// whichever run of the app has written them.
///
/// The folder is looked through once, at the first write; from then on only those who share this
/// write there.
package final class SettingsVolume {
  private let folder: String
  let bytes: Int
  /// What each file takes, by its path.
  private var sizes: [String: Int]?

  /// An app has no use for more, and each name that a script makes up is another one.
  private static let mostFiles = 100
  /// What a file takes at least.
  private static let block = 4096

  package init(folder: String, bytes: Int) {
    self.folder = folder
    self.bytes = bytes
  }

  /// Throws where a file of this size would be too much.
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

  /// Names have changed: looks again before the next write.
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
