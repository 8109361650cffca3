import CTideSystem

extension Confinement {
  /// Forks the broker ahead of ``apply(_:)``, while the process is small and a fork is cheap.
  package mutating func startBrokerEarly() throws(ConfinementError) {
    // With a sanitizer, confinement does not apply, but workers can still be forked.
    if tide_is_sanitized(), worker == nil { return }
    try startBroker()
    hasBroker = true
  }

  /// Forks the broker if it has any task.
  func startBroker() throws(ConfinementError) {
    let reopened = reopenedPaths
    let isIdle =
      reopened.isEmpty && !startsPrograms && programs.isEmpty && editor == nil && scratch == nil
      && emptied.isEmpty && worker == nil
    if isIdle { return }
    var paths = reopened.map { UnsafePointer(strdup($0)) } + [nil]
    var programs = self.programs.map { UnsafePointer(strdup($0)) } + [nil]
    var folders = emptied.map { UnsafePointer(strdup(SystemPath.absolute($0))) } + [nil]
    var variables = self.variables.map { UnsafePointer(strdup($0)) } + [nil]
    let ruleset = programs.count > 1 && !startsPrograms ? programRuleset() : -1
    defer { if ruleset >= 0 { close(ruleset) } }
    let scratch = self.scratch.flatMap { strdup($0) }
    let editor = self.editor.flatMap { strdup($0) }
    defer {
      for path in paths + folders + programs + variables {
        free(UnsafeMutableRawPointer(mutating: path))
      }
      free(scratch)
      free(editor)
    }
    let failure = paths.withUnsafeMutableBufferPointer { paths in
      folders.withUnsafeMutableBufferPointer { folders in
        programs.withUnsafeMutableBufferPointer { programs in
          variables.withUnsafeMutableBufferPointer { variables in
            var tasks = TideBrokerTasks(
              starts_programs: startsPrograms, programs: UnsafePointer(programs.baseAddress),
              variables: UnsafePointer(variables.baseAddress), ruleset: ruleset, editor: editor,
              scratch: scratch, reopened: UnsafePointer(paths.baseAddress),
              emptied: UnsafePointer(folders.baseAddress), worker: nil, worker_context: nil)
            worker?.enter(&tasks)
            // The child process has its own copy of this memory.
            return tide_broker_start(&tasks)
          }
        }
      }
    }
    if failure == EALREADY {
      throw ConfinementError("the process is already confined and has its broker")
    }
    if failure != 0 {
      throw ConfinementError("the broker cannot be started: \(SystemText.of(failure))")
    }
  }

  /// The Landlock ruleset for programs started by name; -1 if the kernel has no Landlock.
  private func programRuleset() -> Int32 {
    let version = tide_landlock_version()
    guard version > 0 else { return -1 }
    let known = FileRights.known(toVersion: version)
    let rights = TideLandlockRights(
      files: known.rawValue, network: version >= 4 && !allowsNetwork ? Self.networkRights : 0,
      // Abstract sockets are restricted. Signals are not, because some programs exist to send them.
      scopes: version >= 6 ? 1 : 0)
    let ruleset = tide_landlock_make(rights, version)
    guard ruleset >= 0 else { return -1 }
    for rule in programRules {
      _ = tide_landlock_allow(ruleset, rule.path, rule.rights.intersection(known).rawValue)
    }
    return ruleset
  }

  /// The file rules for programs: the app's own rights, and the files that programs need.
  var programRules: [FileRule] {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    var rules = FileRule.programs + FileRule.system(variable)
    let search = variable("PATH") ?? ""
    rules += search.split(separator: ":").filter { $0.hasPrefix("/") }
      .map { FileRule(String($0), [.read, .execute]) }
    rules += programs.filter { $0.contains("/") }.map { FileRule($0, [.readFile, .execute]) }
    if allowsNetwork { rules += FileRule.network }
    rules += readable.map { FileRule($0, .read) }
    rules += writable.map { FileRule($0, .write) }
    return rules
  }

  /// The absolute paths that can be reopened safely. A path with a writable folder on its way is
  /// excluded, because confined code could rename another folder to that path and have it opened.
  var reopenedPaths: [String] {
    let writable = self.writable.compactMap(SystemPath.real)
    return reopened.map(SystemPath.absolute).filter { path in
      guard let folders = SystemPath.folders(onTheWayTo: path) else { return false }
      return !folders.contains { folder in
        writable.contains { SystemPath.isBelow(folder, $0) }
      }
    }
  }
}
