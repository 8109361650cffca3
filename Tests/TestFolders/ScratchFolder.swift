import Glibc

/// A folder that goes away with the test.
package final class ScratchFolder {
  package let path: String

  package struct Failure: Error {}

  /// Makes it with folders in it.
  package init(folders names: String...) throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/tidelock-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for name in names { makeFolder(name) }
  }

  deinit { Self.removeAll(path) }

  /// Writes a file in place, in a folder of its own where the name has one, and gives its path.
  @discardableResult
  package func write(_ text: String, to name: String) -> String {
    for slash in name.indices.dropFirst() where name[slash] == "/" {
      makeFolder(String(name[..<slash]))
    }
    let file = path + "/" + name
    if let handle = fopen(file, "w") {
      fputs(text, handle)
      fclose(handle)
    }
    return file
  }

  /// Writes a file of bytes in place, and gives its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) -> String {
    let file = path + "/" + name
    if let handle = fopen(file, "w") {
      fwrite(bytes, 1, bytes.count, handle)
      fclose(handle)
    }
    return file
  }

  /// Writes several files in place.
  package func write(_ files: KeyValuePairs<String, String>) {
    for (name, text) in files { write(text, to: name) }
  }

  /// Empty when there is no such file.
  package func read(_ name: String) -> String { String(decoding: readBytes(name), as: UTF8.self) }

  package func readBytes(_ name: String) -> [UInt8] {
    guard let file = fopen(path + "/" + name, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16_384)
    while case let count = fread(&room, 1, room.count, file), count > 0 { bytes += room[..<count] }
    return bytes
  }

  package func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o755) }

  package func rename(_ name: String, to other: String) {
    Glibc.rename(path + "/" + name, path + "/" + other)
  }

  package func remove(_ name: String) { unlink(path + "/" + name) }

  package func removeFolder(_ name: String) { Self.removeAll(path + "/" + name) }

  package func link(_ name: String, to target: String) { symlink(target, path + "/" + name) }

  /// The names of what is in a folder below, sorted.
  package func entries(of name: String) -> [String] {
    (Self.entries(path + "/" + name) ?? []).sorted()
  }

  private static func entries(_ path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func removeAll(_ path: String) {
    guard let names = entries(path) else {
      unlink(path)
      return
    }
    for name in names {
      let inner = path + "/" + name
      var status = stat()
      if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        removeAll(inner)
      } else {
        unlink(inner)
      }
    }
    rmdir(path)
  }
}
