import CTideSlots
import TideGraph

/// The graph's side of a `ValueSender`.
// Unchecked, because other threads only call `send`, which reads constants. Everything else happens
// on the graph's thread.
final class SendTarget<Content: Sendable>: @unchecked Sendable {
  private let delivery: BindingOptions.Delivery
  private let post: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let thread: @Sendable () -> UInt

  private unowned let table: BindingTable
  private let beforeNextFrame: (@escaping () -> Void) -> Void
  /// Nil once the context is cleared.
  private var write: ((Content) throws -> Void)?
  private var isEnabled = true
  /// The value that waits for the context to be enabled, or for the next frame.
  private var held: Content?
  private var isAwaitingFrame = false

  init(
    _ table: BindingTable, _ clock: any BindingClock, _ delivery: BindingOptions.Delivery,
    _ write: @escaping (Content) throws -> Void
  ) {
    self.table = table
    self.delivery = delivery
    self.write = write
    post = clock.post
    thread = clock.thread
    beforeNextFrame = { [weak clock] in clock?.beforeNextFrame($0) }
  }

  func send(_ value: Content) throws(TideError) {
    let isOwnThread = thread() == tide_thread_identity()
    switch delivery {
    case .settle: post { [self] in deliverListing(value) }
    case .frame: post { [self] in gather(value) }
    case .immediate:
      guard isOwnThread else {
        throw TideError(
          .badArgument,
          "a property is written on its own thread alone; send to it with settle, frame or wait")
      }
      try deliver(value)
    case .wait:
      if isOwnThread { return try deliverWaiting(value) }
      try WaitingThreads.wait(for: thread()) { rendezvous in
        let arrival = Arrival(rendezvous)
        post { [self] in
          arrival.complete(with: Result { () throws(TideError) in try deliver(value) })
        }
      }
    }
  }

  // MARK: On the graph's thread

  private func deliverListing(_ value: Content) {
    do {
      try deliver(value)
    } catch {
      if error.code != .disposed { table.list(error) }
    }
  }

  private func deliver(_ value: Content) throws(TideError) {
    guard let write else {
      throw TideError(.disposed, "what this sends to has ended with its context")
    }
    guard isEnabled else { return held = value }
    do { try write(value) } catch { throw TideError(wrapping: error, graph: table.graph) }
  }

  /// For a sender on the graph's own thread, which cannot wait for itself.
  private func deliverWaiting(_ value: Content) throws(TideError) {
    guard table.graph.isIdle else {
      throw TideError(
        .deadlock,
        "a value cannot be waited for within the very change that has to settle first; send it with "
          + "settle, or after the batch")
    }
    try deliver(value)
  }

  private func gather(_ value: Content) {
    held = value
    if isAwaitingFrame || !isEnabled { return }
    isAwaitingFrame = true
    beforeNextFrame { [self] in
      isAwaitingFrame = false
      deliverHeld()
    }
  }

  private func deliverHeld() {
    guard isEnabled, let value = held else { return }
    held = nil
    deliverListing(value)
  }

  func setEnabled(_ isEnabled: Bool) {
    self.isEnabled = isEnabled
    if !isAwaitingFrame { deliverHeld() }
  }

  func end() {
    write = nil
    held = nil
  }
}

extension Graph {
  /// Whether nothing is running that has to end before a write settles.
  var isIdle: Bool {
    memory.pointee.batch == 0 && !memory.pointee.isRunning && !memory.pointee.isFlushing
      && memory.pointee.evaluating == 0
  }
}
