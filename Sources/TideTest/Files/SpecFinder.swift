import TideLua
import TideSystem

/// Finds spec files below folders by Lua patterns, as busted does.
struct SpecFinder {
  let options: TestOptions
  private let bounds: ProjectBounds?
  private let matcher: PatternMatcher
  private(set) var problems: [String] = []
  /// The folders that were searched.
  private(set) var folders: [String] = []

  init(_ options: TestOptions) throws {
    self.options = options
    bounds = options.bounds
    matcher = try PatternMatcher()
  }

  /// The files in their order of execution; failures are added to `problems`.
  mutating func files() -> [String] {
    var files: [String] = []
    // A file that is found more than once runs once.
    var known: Set<String> = []
    for root in roots {
      files += self.files(below: root).filter { known.insert($0).inserted }
    }
    problems += matcher.problems
    if files.isEmpty {
      let patterns =
        options.patterns.count == 1
        ? options.patterns[0] : options.patterns.map { "\n\t" + $0 }.joined()
      problems.append("No test files found matching Lua pattern: \(patterns)")
    }
    return files
  }

  /// The given files and folders, else the usual folders that exist.
  private var roots: [String] {
    if !options.roots.isEmpty { return options.roots }
    let usual = ["spec", "test", "tests"].filter { Self.kind(of: $0) == .folder }
    return usual.isEmpty ? ["spec"] : usual
  }

  private mutating func files(below root: String) -> [String] {
    switch Self.kind(of: root) {
    case .file: return [root]
    case .folder:
      if let line = options.lines[root]?.first {
        problems.append("\(root) is a folder: there is no line \(line)")
        return []
      }
      var found: [String] = []
      collect(root, &found)
      return found.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    case nil:
      problems.append("Cannot find file or directory: \(root)")
      return []
    }
  }

  /// - Parameter around: the enclosing folders; links back to them are not followed.
  private mutating func collect(
    _ folder: String, _ found: inout [String], in around: [Identity] = []
  ) {
    guard let identity = Identity(folder), !around.contains(identity) else { return }
    folders.append(folder)
    for name in ReadableFile.names(in: folder) ?? [] where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      switch Self.kind(of: path) {
      // A sandboxed run does not follow links out of the project.
      case .folder where options.isRecursive && bounds?.contains(path) != false:
        collect(path, &found, in: around + [identity])
      case .folder: break
      // A broken link is reported when it is read.
      case .file, nil:
        if name.hasSuffix(".lua") && isWanted(name) { found.append(path) }
      }
    }
  }

  private func isWanted(_ name: String) -> Bool {
    if options.excludedPatterns.contains(where: { !$0.isEmpty && matcher.matches(name, $0) }) {
      return false
    }
    return options.patterns.isEmpty || options.patterns.contains { matcher.matches(name, $0) }
  }

  // MARK: Folders

  private enum Kind { case file, folder }

  /// The identity of a folder, independent of its path.
  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = status.st_dev
      number = status.st_ino
    }
  }

  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }
}
