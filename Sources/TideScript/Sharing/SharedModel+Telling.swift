import TideBindings

/// What people and scripts are told of a shared model.
extension SharedModel {
  /// What is wrong, the gravest first.
  struct Failures {
    var engine: String?
    var update: String?
    var shortage: String?
    var text: String { engine ?? update ?? shortage ?? "" }
  }

  /// Seconds after which what was refused is tried again.
  static let retryDelay = 10.0

  /// Gives back what was written although it may only be read.
  func takeBack() {
    var isWritten = false
    change {
      let discarded = replica.discardUnsent()
      isWritten = discarded.isWritten
      show(discarded.outcome)
    }
    if !isWritten { return }
    list(TideError(.readOnly, "the shared model \"\(name.inMessage)\" can only be read here"))
  }

  /// Lists that the budget of the app does not suffice for what all have.
  func tellOfShortage() {
    let text =
      "a turn has too little time or memory for all rows of the shared model \"\(name.inMessage)\": "
      + "some are not shown here, and nobody loses them; raise --memory or --turn"
    failures.shortage = text
    showState()
    list(TideError(.sharing, text))
  }

  /// Lists what the app ends without having had confirmed.
  func tellOfUnconfirmed() {
    let count = replica.pendingCount
    let changes = count == 1 ? "1 change" : "\(count) changes"
    let reason = failures.text.split(separator: ";").first.map { " (\($0))" } ?? ""
    list(
      TideError(
        .sharing,
        "no server has confirmed \(changes) of the shared model \"\(name.inMessage)\", which may be "
          + "lost\(reason); an app that opens a database by store.open keeps them for its next run")
    )
  }

  /// Lists why a value cannot be shared.
  func noteUnsent(_ value: Value, _ error: TideError) {
    var error = error
    error.message =
      "a value of the shared model \"\(name.inMessage)\" stays here alone: \(error.message)"
    list(error)
  }

  func refuse(_ key: SharingKey, _ number: Int, _ reason: SharingRefusal) {
    guard replica.refuse(key, number, reason) else { return }
    var isNews = true
    switch reason {
    case .stale: return expectChange(of: key, number)
    case .unanswered: return
    case .tooLarge(let text):
      let object = key.list.map { "a row of \(name).\($0)" } ?? name
      failures.update = "\(object) is too large to be shared: \(text)"
    case .denied(let text):
      // All that was sent is refused for one reason.
      isNews = failures.update != text
      failures.update = text
      if retry == nil {
        retry = runtime.loop.after(Self.retryDelay, keepsRunning: false) { [weak self] in
          self?.retry = nil
          self?.replica.retryDenied()
          self?.sendLater()
        }
      }
    }
    if isNews { list(TideError(.sharing, "\"\(name.inMessage)\": \(failures.text)")) }
  }

  /// Seconds that the change may take of which a refusal tells.
  private static let patienceForChanges = 5.0

  /// Looks after a while whether the changes have come because of which updates were refused: where somebody
  /// has purged a key, none ever comes.
  private func expectChange(of key: SharingKey, _ number: Int) {
    overdueUpdates[key] = number
    awaitChanges()
  }

  private func awaitChanges() {
    if overdue != nil || overdueUpdates.isEmpty { return }
    overdue = runtime.loop.after(Self.patienceForChanges, keepsRunning: false) { [weak self] in
      guard let self else { return }
      overdue = nil
      overdueUpdates = overdueUpdates.filter { replica.awaits($0.key, $0.value) }
      if overdueUpdates.isEmpty { return }
      // What waits here may have them.
      if hasWaiting || state != .live { return awaitChanges() }
      overdueUpdates = [:]
      joinAnew()
    }
  }

  func tell(of conflict: SharedReplica.Conflict, _ row: Value?) {
    sync.conflicts += 1
    let decode = { (bytes: [UInt8]?) in
      bytes.flatMap { try? self.values.value(in: $0) } ?? .null
    }
    let isOwnName = conflict.field.map { !$0.hasPrefix("\u{1}") } ?? false
    runtime.post(
      conflictIn: self, of: isOwnName ? conflict.field ?? "" : conflict.key.list ?? "",
      mine: conflict.field == nil ? row ?? .null : decode(conflict.mine),
      theirs: decode(conflict.theirs), row: row)
  }

  func showState() {
    if replica.pendingCount == 0 { failures.update = nil }
    sync.show(state, pending: replica.pendingCount, error: failures.text)
  }

  func list(_ error: any Error) {
    runtime.bindings.list(TideError(wrapping: error, graph: runtime.graph))
  }
}
