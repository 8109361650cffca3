extension TestOptions {
  /// The folders that the run keeps to; nil where nothing is sandboxed.
  package var bounds: ProjectBounds? { isSandboxed ? ProjectBounds(roots: roots) : nil }

  /// Holds what the file `.busted` has set against the sandbox that the command line asks for: files
  /// lie in the project, nothing runs longer than it would without the file, and no program is started.
  ///
  /// The working folder is the project's by then, and of the command line only what was known `before`.
  package func checkConfinement(
    of file: String, since before: TestOptions
  ) throws(TestSetupError) {
    let bounds = ProjectBounds()
    var files = roots + outputArguments + [coverageConfiguration].compactMap(\.self)
    // Others are modules, which are looked for in the project.
    files += [helper, output].compactMap(\.self).filter { $0.hasSuffix(".lua") }
    for named in files { try bounds.check(named, namedBy: file) }
    let lists = [
      patterns, excludedPatterns, filters, excludedFilters, tags, excludedTags, statements, roots,
    ]
    let exceeding = [
      timeLimit > before.timeLimit
        ? "timeout (more than \(Seconds.text(before.timeLimit)) seconds)" : nil,
      repeats > Self.mostRepeats ? "repeat (more than \(Self.mostRepeats))" : nil,
      hasSound ? "enable-sound" : nil,
      lists.contains { $0.count > Self.longestList }
        ? "a list of more than \(Self.longestList)" : nil,
    ].compactMap(\.self)
    guard exceeding.isEmpty else {
      throw TestSetupError(
        "\(file) asks for \(exceeding.joined(separator: ", ")); with --sandbox the command line "
          + "alone may")
    }
  }

  private static let mostRepeats = 100
  private static let longestList = 1000
}
