import TideSystem
import TideValues

/// The folder of `--artifacts`: a folder for each spec file, and in it one for each failed test.
///
///     artifacts/fruit/ripens/picture.svg
///                            picture.txt
///                            test.cast
///                            test.json   the test's name and message, and the other files
///
/// Each run removes what the one before has written, which `test.json` lists.
package final class ArtifactFolder: Sendable {
  package let path: String
  private let taken = Guarded<Set<String>>([])

  private static let index = "test.json"
  private static let longestName = 80

  /// - Throws: `TestSetupError` if there is a file of that name.
  package init(_ path: String) throws(TestSetupError) {
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = trimmed
    var status = stat()
    if stat(trimmed, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
      throw TestSetupError("--artifacts \(path): it is a file", isUsage: true)
    }
  }

  /// Removes what an earlier run has written. Other files stay.
  package func clear() {
    taken.withLock { $0 = [] }
    for spec in Self.folders(in: path) {
      for test in Self.folders(in: spec) { Self.remove(test) }
      rmdir(spec)
    }
  }

  private static func folders(in path: String) -> [String] {
    (ReadableFile.names(in: path) ?? []).map { path + "/" + $0 }.filter { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }

  private static func remove(_ folder: String) {
    guard let text = try? SpecFile.read(folder + "/" + index).source,
      let files = try? JSONValue(parsing: Array(text.utf8))["files"].array
    else { return }
    for name in files.compactMap(\.string) where !name.contains("/") {
      unlink(folder + "/" + name)
    }
    unlink(folder + "/" + index)
    rmdir(folder)
  }

  /// Writes the files of a failed test. Returns their paths.
  func write(
    _ files: [(name: String, text: String)], of test: FailedTest
  ) throws(TestSetupError) -> [String] {
    let folder = unused(Self.plain(Self.stem(test.file)) + "/" + Self.plain(test.name))
    try Self.makeFolders(folder)
    var object = JSONLine()
    object.add("name", test.name)
    object.add("file", test.file)
    if let line = test.line { object.add("line", line) }
    if let message = test.message { object.add("message", message) }
    object.add("files", files.map(\.name))
    for file in files + [(Self.index, object.text + "\n")] {
      let path = folder + "/" + file.name
      if let problem = TextFile.write(file.text, to: path) {
        throw TestSetupError("\(path) cannot be written: \(problem)")
      }
    }
    return (files.map(\.name) + [Self.index]).map { folder + "/" + $0 }
  }

  private func unused(_ name: String) -> String {
    taken.withLock { taken in
      var number = 1
      while !taken.insert(number == 1 ? name : "\(name)-\(number)").inserted { number += 1 }
      return path + "/" + (number == 1 ? name : "\(name)-\(number)")
    }
  }

  private static func makeFolders(_ path: String) throws(TestSetupError) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    let problem = errno
    let above = SystemPath.folder(of: path)
    guard problem == ENOENT, above != path else {
      throw TestSetupError(
        "the folder \(path) cannot be made: \(String(cString: strerror(problem)))")
    }
    try makeFolders(above)
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      let reason = String(cString: strerror(errno))
      throw TestSetupError("the folder \(path) cannot be made: \(reason)")
    }
  }

  /// The spec's path without what all specs have.
  private static func stem(_ file: String) -> String {
    var stem = file[...]
    if stem.hasSuffix(".lua") { stem = stem.dropLast(4) }
    if stem.hasSuffix("_spec") { stem = stem.dropLast(5) }
    while let prefix = ["./", "/", "spec/"].first(where: stem.hasPrefix) {
      stem = stem.dropFirst(prefix.count)
    }
    return String(stem)
  }

  /// A text as the name of a file: letters and digits, with dashes for everything else.
  static func plain(_ text: String) -> String {
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    var name = ""
    for character in words.joined(separator: "-") {
      if name.utf8.count + character.utf8.count > longestName { break }
      name.append(character)
    }
    return name.isEmpty ? "test" : name
  }
}
