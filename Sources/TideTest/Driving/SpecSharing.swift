import TideScript
import TideSystem
import TideValues

/// The engine of shared models for a spec's apps. Shared models live in a simulated process; those
/// in databases survive its restart.
///
///     ui.mount, ui.session ──▶ models of `shared` ──▶ this ──▶ SharedModels ──▶ KeptModel
final class SpecSharing: KeepingEngine {
  private let state = Guarded(State())

  struct State {
    fileprivate var process = SharedModels()
    fileprivate var kept: [(place: SharedPlace, model: KeptModel)] = []
  }

  /// The current state; the state before a test is restored at its end.
  var present: State {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  private var process: SharedModels { state.withLock { $0.process } }

  /// Simulates a new process with the same databases.
  func restart() { state.withLock { $0.process = SharedModels() } }

  var largestUpdate: Int? { nil }
  var isReadOnly: Bool { false }

  func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    process.join(model, mailbox)
  }

  func keep(
    _ model: String, at place: SharedPlace, _ open: () throws -> any ConfirmedKeeper
  ) throws -> Int {
    try process.keep(model, at: place) {
      state.withLock { state in
        if let known = state.kept.first(where: { $0.place == place }) { return known.model }
        let made = KeptModel()
        state.kept.append((place, made))
        return made
      }
    }
  }
}

/// A shared model stored in a spec's database, used by all apps of the spec.
private final class KeptModel: ConfirmedKeeper {
  private var documents: [SharingKey: [UInt8]] = [:]

  func load() -> [SharingKey: [UInt8]] { documents }

  func save(_ changes: [SharingKey: [UInt8]?]) {
    for (key, bytes) in changes { documents[key] = bytes }
  }
}
