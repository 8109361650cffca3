import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Saves files in a folder by the system calls that programs make, one at a time.
final class Editor {
  private let folder: String
  private let afterEachCall: () -> Void
  private var file: Int32 = -1

  /// - Parameter afterEachCall: what happens between two of its calls.
  init(in folder: String, afterEachCall: @escaping () -> Void) {
    self.folder = folder
    self.afterEachCall = afterEachCall
  }

  // MARK: The open file

  func open(_ name: String, _ flags: Int32...) {
    file = check(
      Glibc.open(path(name), flags.reduce(O_CLOEXEC) { $0 | $1 }, 0o644), "open \(name)")
  }

  func write(_ text: String) {
    let count = text.utf8.count
    let written = text.withCString { Glibc.write(file, $0, count) }
    check(Int32(written == count ? 0 : -1), "write")
  }

  func setLength(_ length: Int) { check(ftruncate(file, length), "ftruncate") }

  func flush() { check(fsync(file), "fsync") }

  func setTimes() { check(futimens(file, nil), "futimens") }

  func close() {
    check(Glibc.close(file), "close")
    file = -1
  }

  /// Opens, writes and closes in one go what nobody is to notice in parts.
  func put(_ text: String, into name: String, _ flags: Int32 = O_WRONLY | O_CREAT | O_TRUNC) {
    open(name, flags)
    write(text)
    close()
  }

  // MARK: Names

  func rename(_ name: String, to other: String) {
    check(Glibc.rename(path(name), path(other)), "rename \(name)")
  }

  func remove(_ name: String) { check(unlink(path(name)), "unlink \(name)") }

  func link(_ name: String, to target: String) { check(symlink(target, path(name)), "symlink") }

  func linkHard(_ name: String, to other: String) {
    check(Glibc.link(path(other), path(name)), "link \(name)")
  }

  func makeFolder(_ name: String) { check(mkdir(path(name), 0o755), "mkdir \(name)") }

  func removeFolder(_ name: String) { check(rmdir(path(name)), "rmdir \(name)") }

  func setLength(of name: String, _ length: Int) {
    check(truncate(path(name), length), "truncate \(name)")
  }

  func setMode(of name: String, _ mode: mode_t) {
    check(chmod(path(name), mode), "chmod \(name)")
  }

  // MARK: Programs

  /// Runs a program in the folder and waits for its end.
  func run(_ command: String) {
    var child: pid_t = 0
    let words = ["sh", "-c", "cd \"$0\" && \(command)", folder]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    check(-posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ), "start \(command)")
    var status: Int32 = 0
    check(waitpid(child, &status, 0), "wait for \(command)")
    check(status == 0 ? 0 : -1, command)
  }

  // MARK: Checking

  /// What lies beside the folder is named as such, because the folder may be a link.
  private func path(_ name: String) -> String {
    guard name.hasPrefix("../"), let slash = folder.lastIndex(of: "/") else {
      return folder + "/" + name
    }
    return "\(folder[..<slash])\(name.dropFirst(2))"
  }

  @discardableResult
  private func check(_ result: Int32, _ what: String) -> Int32 {
    if result < 0 { Issue.record("\(what): \(String(cString: strerror(errno)))") }
    afterEachCall()
    return result
  }
}
