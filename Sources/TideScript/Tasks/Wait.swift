/// What a script's call waits for, from the call until the task that it belongs to takes it up.
struct Wait {
  /// Sees to it that the task is resumed; what it throws is raised at the waiting line.
  let begin: (ScriptTask) throws -> Handle

  /// A wait that is under way.
  struct Handle {
    let cancel: () -> Void
    /// Holds it back while the task's context is disabled.
    var setEnabled: ((Bool) -> Void)?
  }
}
