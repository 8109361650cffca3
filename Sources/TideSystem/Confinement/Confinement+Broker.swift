import CTideSystem

extension Confinement {
  /// Forks the broker ahead of ``apply(_:)``, while the process is small and a fork is cheap.
  package mutating func startBrokerEarly() throws(ConfinementError) {
    if tide_is_sanitized() { return }
    try startBroker()
    hasBroker = true
  }

  /// Forks the broker if there is anything for it to do.
  func startBroker() throws(ConfinementError) {
    let reopened = reopenedPaths
    let isIdle =
      reopened.isEmpty && !startsPrograms && programs.isEmpty && editor == nil && scratch == nil
      && emptied.isEmpty
    if isIdle { return }
    var paths = reopened.map { UnsafePointer(strdup($0)) } + [nil]
    var programs = self.programs.map { UnsafePointer(strdup($0)) } + [nil]
    var folders = emptied.map { UnsafePointer(strdup(SystemPath.absolute($0))) } + [nil]
    let scratch = self.scratch.flatMap { strdup($0) }
    let editor = self.editor.flatMap { strdup($0) }
    defer {
      for path in paths + folders + programs { free(UnsafeMutableRawPointer(mutating: path)) }
      free(scratch)
      free(editor)
    }
    let failure = paths.withUnsafeMutableBufferPointer { paths in
      folders.withUnsafeMutableBufferPointer { folders in
        programs.withUnsafeMutableBufferPointer { programs in
          var tasks = TideBrokerTasks(
            starts_programs: startsPrograms, programs: UnsafePointer(programs.baseAddress),
            editor: editor, scratch: scratch, reopened: UnsafePointer(paths.baseAddress),
            emptied: UnsafePointer(folders.baseAddress))
          // The child keeps its own copy of all this.
          return tide_broker_start(&tasks)
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

  /// The paths, made absolute, that can be reopened safely. Those that are looked up in a writable
  /// folder cannot: confined code could rename another folder to such a path and have it opened.
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
