import TideBindings
import TideScript
import TideSystem

/// Reads and writes files by names relative to a folder, and creates missing folders.
///
/// ```swift
/// try FolderWriter(folder: "counter").create("return {}\n", "spec/app_spec.lua")
/// ```
struct FolderWriter {
  let folder: String

  /// Writes a new file; throws if it already exists.
  func create(_ text: String, _ name: String) throws(TideError) {
    let path = SystemPath.joined(folder, name)
    try makeFolders(above: path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure("write", path) }
    defer { close(file) }
    let number = StandardStreams.write(text, to: file)
    if number != 0 {
      errno = number
      throw failure("write", path)
    }
  }

  /// Writes a file, replacing any existing contents.
  func replace(_ bytes: [UInt8], _ name: String) throws(TideError) {
    let path = SystemPath.joined(folder, name)
    try makeFolders(above: path)
    let above = open(SystemPath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard above >= 0 else { throw failure("write", path) }
    defer { close(above) }
    do {
      try FileAccess.write(bytes, to: Self.last(of: path), in: above)
    } catch {
      throw TideError(.scriptFile, "\(path): \(error.message)", cause: error)
    }
  }

  /// The bytes of a regular file; nil if it cannot be read.
  func bytes(of name: String) -> [UInt8]? {
    let path = SystemPath.joined(folder, name)
    let above = open(SystemPath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard above >= 0 else { return nil }
    defer { close(above) }
    return try? FileAccess.read(Self.last(of: path), in: above, most: 16 << 20)
  }

  /// Removes a file if it exists.
  func remove(_ name: String) { unlink(SystemPath.joined(folder, name)) }

  /// Creates all parent folders of a path.
  func makeFolders(above path: String) throws(TideError) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      end = slash
      if mkdir(String(path[..<slash]), 0o777) != 0, errno != EEXIST {
        throw failure("make the folder", String(path[..<slash]))
      }
    }
  }

  /// The error of the last failed system call.
  func failure(_ what: String, _ path: String) -> TideError {
    TideError(.scriptFile, "cannot \(what) \(path): \(SystemText.of(errno))")
  }

  private static func last(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }
}
