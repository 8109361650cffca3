import TideGraph
import TideSystem

// Wrappers with other names, because the file's methods shadow the system calls.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, buffer, count)
}
private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, buffer, count)
}

/// A file that is replaced atomically: readers see either the old or the new contents.
struct SettingsFile {
  let path: String

  /// The file's name for messages. Scripts can read messages, so the folder is left out.
  var name: String { Self.name(ofFile: path) }

  static func name(ofFile path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private static let longest = 16 << 20

  /// The contents; nil if there is no file. Throws if the file exists and cannot be read.
  func read() throws(TideError) -> [UInt8]? {
    // Without blocking: the path may be a pipe without a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw fault("cannot be read")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw fault("cannot be read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Self.error("\(name) is not a regular file", path)
    }
    guard status.st_size <= Self.longest else {
      throw Self.error("the settings in \(name) are longer than \(Self.longest) bytes", path)
    }
    do throws(WorkError) { try WorkBudget.admit(bytes: Int(status.st_size)) } catch {
      throw TideError(error)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = systemRead(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw fault("cannot be read") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Replaces the contents.
  ///
  /// - Parameter durably: whether to return only after they are on disk, so that they survive a
  ///   loss of power.
  func write(_ text: String, durably: Bool) throws(TideError) {
    try makeFolder()
    // In the same folder, because a rename is atomic only within one file system.
    let draft = "\(path).\(getpid()).new"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = open(draft, flags, 0o600)
    if descriptor < 0 { throw fault("cannot be written") }
    var isWritten = put(text, into: descriptor)
    if isWritten && durably { isWritten = fsync(descriptor) == 0 }
    var reason = errno
    if close(descriptor) != 0 && isWritten {
      isWritten = false
      reason = errno
    }
    if isWritten && rename(draft, path) != 0 {
      isWritten = false
      reason = errno
    }
    if !isWritten {
      unlink(draft)
      throw fault("cannot be written", reason)
    }
    if durably { _ = SystemPath.bringToDisk(folder) }
  }

  private func put(_ text: String, into descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = systemWrite(descriptor, part.baseAddress, part.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func makeFolder() throws(TideError) {
    var made = ""
    for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
      made += part + "/"
      if part.isEmpty || part == "." { continue }
      if mkdir(made, 0o700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES {
        throw fault("cannot be written")
      }
    }
  }

  /// Moves the file to an unused name, and returns that name.
  func moveAside() throws(TideError) -> String {
    do throws(BrokenFile.Failure) {
      return Self.name(ofFile: try BrokenFile(path).moveAside())
    } catch .system(let reason) {
      throw fault("cannot be put aside", reason)
    } catch {
      throw Self.error(
        "the settings in \(name) cannot be put aside, because \(BrokenFile.most) broken ones are kept"
          + " already; remove them", path)
    }
  }

  private func fault(_ what: String, _ reason: Int32 = errno) -> TideError {
    Self.error("the settings in \(name) \(what): \(String(cString: strerror(reason)))", path)
  }

  static func error(_ message: String, _ path: String) -> TideError {
    TideError(.settings, message, cause: UnderlyingFile(path: path))
  }
}
