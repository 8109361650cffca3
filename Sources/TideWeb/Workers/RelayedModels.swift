import TideBindings
import TideScript
import TideValues

/// A worker's access to the models that its server shares: it sends reports and receives orders.
final class RelayedModels: KeepingEngine {
  let largestUpdate: Int?
  let isReadOnly: Bool
  private let state = Guarded(State())

  fileprivate struct Member {
    let model: String
    let mailbox: SharingMailbox
    /// Whether its first listing is complete. Later ones may not know of updates on their way.
    var isListed = false
  }

  /// A model that was left, until the server has sent its last refusals.
  fileprivate struct Left {
    let model: String
    var isAnswered = false
    /// Refusals for a member that joins the model again, for updates that were in flight.
    var refusals: [(key: SharingKey, number: Int, reason: SharingRefusal)] = []
  }

  fileprivate struct State {
    var members: [Int: Member] = [:]
    /// By former number.
    var left: [Int: Left] = [:]
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
      state.members[state.last] = Member(model: model, mailbox: mailbox)
      state.deliverLeft()
      return state.last
    }
    mailbox.put(.connecting, error: nil)
    report(.join(number, model: model))
    return Channel(models: self, number: number)
  }

  /// Passes received contents to the mailbox of a model.
  func take(_ number: Int, _ contents: SharingMailbox.Contents) {
    state.withLock { state in
      if state.left[number] != nil {
        state.left[number]?.refusals += contents.refusals
        if contents.isLast { state.left[number]?.isAnswered = true }
        return state.deliverLeft()
      }
      guard let member = state.members[number] else { return }
      var contents = contents
      let isKnown =
        !member.isListed && !state.left.values.contains { $0.model == member.model }
      if contents.settled == .max, !isKnown { contents.settled = nil }
      if contents.isComplete { state.members[number]?.isListed = true }
      // Delivered before the model can be left, so that no refusal is lost.
      member.mailbox.put(contents)
    }
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
      models.state.withLock { state in
        guard let member = state.members.removeValue(forKey: number) else { return }
        state.left[number] = Left(model: member.model)
      }
      models.report(.leave(number))
    }
  }
}

extension RelayedModels.State {
  /// The most models whose refusals are kept after they were left.
  private static let mostLeft = 1000

  /// Delivers the refusals of models that were left to members that have joined them again.
  fileprivate mutating func deliverLeft() {
    for (number, former) in left {
      var rest = former.refusals
      if let heir = members.values.first(where: { $0.model == former.model }) {
        for refusal in rest { heir.mailbox.refuse(refusal.key, refusal.number, refusal.reason) }
        rest = []
      }
      left[number]?.refusals = rest
      if former.isAnswered, rest.isEmpty { left[number] = nil }
    }
    // A script may leave any number of models with different names.
    while left.count > Self.mostLeft, let oldest = left.keys.min() { left[oldest] = nil }
  }
}
