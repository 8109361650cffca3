extension TestOptions {
  /// The folders to which the run is confined; nil without the sandbox.
  package var bounds: ProjectBounds? { isSandboxed ? ProjectBounds(roots: roots) : nil }

  /// Checks that the options set by `.busted` respect the sandbox that the command line requests:
  /// files must be in the project, time limits must not grow, and no program may be started.
  ///
  /// Call it in the project's folder, before applying the rest of the command line.
  ///
  /// - Parameter before: the options as they were before the file was read.
  package func checkConfinement(
    of file: String, since before: TestOptions
  ) throws(TestSetupError) {
    let bounds = ProjectBounds()
    var files = roots + outputArguments + [coverageConfiguration].compactMap(\.self)
    // Names without `.lua` are modules, which are found in the project only.
    files += [helper, output].compactMap(\.self).filter { $0.hasSuffix(".lua") }
    for named in files { try bounds.check(named, namedBy: file) }
    // Hidden files and folders, such as .git, contain hooks and settings of other programs.
    if let hidden = outputArguments.first(where: bounds.isHidden) {
      throw TestSetupError(
        "\(file) names the hidden file \(hidden) for a report; with --sandbox the command line "
          + "alone may")
    }
    let lists = [
      patterns, excludedPatterns, filters, excludedFilters, tags, excludedTags, statements, roots,
    ]
    let exceeding = [
      timeLimit > before.timeLimit
        ? "timeout (more than \(Seconds.text(before.timeLimit)) seconds)" : nil,
      repeats > Self.mostRepeats ? "repeat (more than \(Self.mostRepeats))" : nil,
      retries > Self.mostRepeats ? "retries (more than \(Self.mostRepeats))" : nil,
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

  /// The options set by `.busted` that run additional code, as text for messages.
  ///
  /// - Parameter before: the options as they were before the file was read.
  package func trustedParts(since before: TestOptions) -> [String] {
    let isReport = output.map { $0.hasSuffix(".lua") } ?? false
    return [
      helper != before.helper ? helper.map { "the helper \($0)" } : nil,
      modulePath != before.modulePath ? "the module path \(modulePath)" : nil,
      isReport && output != before.output ? output.map { "the report \($0)" } : nil,
      coverageConfiguration != before.coverageConfiguration
        ? coverageConfiguration.map { "the coverage configuration \($0)" } : nil,
      statements != before.statements ? "statements to run first" : nil,
    ].compactMap(\.self)
  }

  private static let mostRepeats = 100
  private static let longestList = 1000
}
