#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder that goes away with the test.
final class ScratchFolder {
  let path: String

  struct Failure: Error {}

  init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/tidelock-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.removeAll(path) }

  /// Writes a file in place, and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) -> String {
    let file = path + "/" + name
    if let handle = fopen(file, "w") {
      fputs(text, handle)
      fclose(handle)
    }
    return file
  }

  func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o755) }

  func rename(_ name: String, to other: String) {
    Glibc.rename(path + "/" + name, path + "/" + other)
  }

  func remove(_ name: String) { unlink(path + "/" + name) }

  func link(_ name: String, to target: String) { symlink(target, path + "/" + name) }

  private static func removeAll(_ path: String) {
    guard let folder = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let inner = path + "/" + name
      var status = stat()
      if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        removeAll(inner)
      } else {
        unlink(inner)
      }
    }
    closedir(folder)
    rmdir(path)
  }
}
