import Glibc

/// A folder that looks like /proc.
///
/// The folder is opened once: names are then looked up from there.
final class ProcFolder {
  private let descriptor: Int32

  init(_ path: String) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The contents of a file; nothing when it cannot be read, as when its process has gone.
  func read(_ name: String, upTo limit: Int = .max) -> [UInt8] {
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    // The size that the system gives for these files is 0, and a read may end at the end of any
    // line: the file's end is where nothing more comes.
    var contents = chunk(of: file)
    while contents.count < limit, case let next = chunk(of: file), !next.isEmpty {
      contents += next
    }
    return contents
  }

  /// The number of a file's owner, if it is there.
  func owner(of name: String) -> Int? {
    var status = stat()
    return fstatat(descriptor, name, &status, 0) == 0 ? Int(status.st_uid) : nil
  }

  /// The folders that are named by a number, in ascending order.
  func processes() -> [Int] {
    let listed = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listed >= 0 else { return [] }
    guard let stream = fdopendir(listed) else {
      close(listed)
      return []
    }
    defer { closedir(stream) }
    var numbers: [Int] = []
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      if let number = Self.number(name.assumingMemoryBound(to: UInt8.self)) {
        numbers.append(number)
      }
    }
    return numbers.sorted()
  }

  /// What one read gives: most of these files, whole.
  private func chunk(of file: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
    }
  }

  private static func number(_ name: UnsafePointer<UInt8>) -> Int? {
    var value = 0
    var digits = 0
    while case let digit = name[digits] &- UInt8(ascii: "0"), digit < 10, digits < 10 {
      value = value * 10 + Int(digit)
      digits += 1
    }
    return digits > 0 && name[digits] == 0 ? value : nil
  }
}
