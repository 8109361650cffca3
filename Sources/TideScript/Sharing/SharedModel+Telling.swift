import TideBindings

/// Errors, conflicts and the state of a shared model, for people and scripts.
extension SharedModel {
  /// Current failures, the most serious first.
  struct Failures {
    var engine: String?
    var update: String?
    var shortage: String?
    var text: String { engine ?? update ?? shortage ?? "" }
  }

  /// Seconds until denied updates are sent again.
  static let retryDelay = 10.0

  /// Discards local writes to a read-only model.
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

  /// Lists an error: the app's budget does not suffice to show all rows.
  func tellOfShortage() {
    let text =
      "a turn has too little time or memory for all rows of the shared model \"\(name.inMessage)\": "
      + "some are not shown here, and nobody loses them; raise --memory or --turn"
    failures.shortage = text
    showState()
    list(TideError(.sharing, text))
  }

  /// Lists an error for changes that are still unconfirmed when the app ends.
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
    case .stale: return overdue.expectChange(of: key, number)
    case .unanswered: return
    case .tooLarge(let text):
      let object = key.list.map { "a row of \(name).\($0)" } ?? name
      failures.update = "\(object) is too large to be shared: \(text)"
    case .denied(let text):
      // The engine denies all updates for the same reason, which is listed once.
      isNews = failures.update != text
      failures.update = text
      if retryTimer == nil {
        retryTimer = runtime.loop.after(Self.retryDelay, keepsRunning: false) { [weak self] in
          self?.retryTimer = nil
          self?.replica.retryDenied()
          self?.sendLater()
        }
      }
    }
    if isNews { list(TideError(.sharing, "\"\(name.inMessage)\": \(failures.text)")) }
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
    // A model that lacks memory for some rows is incomplete.
    let shown = state == .live && intake.isStarved ? SharingState.connecting : state
    runtime.home.runWithinBudget {
      sync.show(shown, pending: replica.pendingCount, error: failures.text)
    }
  }

  func list(_ error: any Error) {
    runtime.listKeptData(TideError(wrapping: error, graph: runtime.graph))
  }
}
