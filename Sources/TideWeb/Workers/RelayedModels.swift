import TideBindings
import TideScript
import TideValues

/// A worker's access to the models that its server shares: it sends reports and receives orders.
final class RelayedModels: KeepingEngine {
  let largestUpdate: Int?
  let isReadOnly: Bool
  private let state = Guarded(State())

  private struct State {
    var mailboxes: [Int: SharingMailbox] = [:]
    var last = 0
    /// Reports to send once the worker is connected to the server.
    var waiting: [WorkerReport] = []
    var send: (@Sendable (WorkerReport) -> Void)?
  }

  init(largestUpdate: Int?, isReadOnly: Bool) {
    self.largestUpdate = largestUpdate
    self.isReadOnly = isReadOnly
  }

  /// Starts sending, on any thread.
  func connect(_ send: @escaping @Sendable (WorkerReport) -> Void) {
    let waiting = state.withLock { state in
      state.send = send
      defer { state.waiting = [] }
      return state.waiting
    }
    for report in waiting { send(report) }
  }

  func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    let number = state.withLock { state in
      state.last += 1
      state.mailboxes[state.last] = mailbox
      return state.last
    }
    mailbox.put(.connecting, error: nil)
    report(.join(number, model: model))
    return Channel(models: self, number: number)
  }

  /// Passes received contents to the mailbox of a model.
  func take(_ number: Int, _ contents: SharingMailbox.Contents) {
    var contents = contents
    // Refusals of updates that were sent before it joined anew have not been delivered.
    if contents.settled == .max { contents.settled = nil }
    state.withLock { $0.mailboxes[number] }?.put(contents)
  }

  /// Refuses to persist a model: the server holds the values, and opens no database for a worker.
  func keep(
    _ model: String, at place: SharedPlace, _ open: () throws -> any ConfirmedKeeper
  ) throws -> Int {
    throw TideError(
      .store,
      "the shared model \"\(model.inMessage)\" cannot be kept by sessions that are processes of their own; "
        + "serve without --workers, or share it by a server (--share)")
  }

  private func report(_ report: WorkerReport) {
    let send = state.withLock { state in
      if state.send == nil { state.waiting.append(report) }
      return state.send
    }
    send?(report)
  }

  private struct Channel: SharingChannel {
    let models: RelayedModels
    let number: Int

    func send(_ updates: [SharingUpdate]) {
      for part in updates.parts(ofAtMost: SharedRelay.sizeOfPart, \.heldBytes) {
        models.report(.update(number, Array(part)))
      }
    }
    func leave() {
      models.state.withLock { $0.mailboxes[number] = nil }
      models.report(.leave(number))
    }
  }
}
