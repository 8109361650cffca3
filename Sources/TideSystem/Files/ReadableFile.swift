import CTideSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files and folders that are opened to be read, also where a wall refuses the folder that bears the
/// name by now (``Confinement/reopened``).
package enum ReadableFile {
  /// As `open`, with `O_RDONLY` and `O_CLOEXEC`: a descriptor, or -1 with `errno`.
  package static func open(_ path: String, _ flags: Int32 = 0) -> Int32 {
    tide_open_to_read(path, O_RDONLY | O_CLOEXEC | flags)
  }

  /// The names in a folder, but for "." and ".."; nil where it cannot be read.
  package static func names(in folder: String) -> [String]? {
    let descriptor = open(folder, O_DIRECTORY)
    guard descriptor >= 0 else { return nil }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
