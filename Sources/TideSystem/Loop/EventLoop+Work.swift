import CTideSystem

extension EventLoop {
  /// Does something that may take its time on another thread, and hands the result back.
  ///
  /// ```swift
  /// loop.work({ readWholeFile() }) { bytes in print(bytes.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - queue: has the body wait for those that were given to the queue before; nil for what is
  ///     short and waits for nothing.
  ///   - body: called on another thread; on this one where the system has none left.
  ///   - finish: called on the loop's thread, unless that is cancelled before.
  @discardableResult
  package func work<Result: Sendable>(
    on queue: WorkQueue? = nil, _ body: @escaping @Sendable () -> Result,
    finish: @escaping (Result) -> Void
  ) -> LoopWork {
    let work = LoopWork(self) { result in
      if let result = result as? Result { finish(result) }
    }
    let job = LoopJob { [inbox] in
      let result = body()
      inbox.post { work.finish(result) }
    }
    if let queue {
      queue.add(job)
      work.withdraw = { queue.remove(job) }
    } else if !job.start(takesLong: false) {
      job.body()
    }
    return work
  }
}

/// Something that another thread does for an event loop; see ``EventLoop/work(_:finish:)``.
// Unchecked, because only the loop's thread reads and clears the properties. Another thread may
// release it, which then holds nothing of the loop's any more.
package final class LoopWork: @unchecked Sendable {
  private weak var loop: EventLoop?
  private var handler: ((Any) -> Void)?
  /// Removes what has not begun from its queue.
  fileprivate var withdraw: (() -> Void)?

  fileprivate init(_ loop: EventLoop, _ handler: @escaping (Any) -> Void) {
    self.loop = loop
    self.handler = handler
    loop.operations += 1
  }

  fileprivate func finish(_ result: Any) {
    let handler = handler
    withdraw = nil
    cancel()
    handler?(result)
  }

  /// Lets nobody hear of it any more.
  package func cancel() {
    guard handler != nil else { return }
    handler = nil
    withdraw?()
    withdraw = nil
    loop?.operations -= 1
  }
}

/// A function on its way to another thread.
final class LoopJob: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Has another thread call the function; false where the system has none left.
  func start(takesLong: Bool) -> Bool {
    let box = Unmanaged.passRetained(self).toOpaque()
    let failure = tide_work(
      { box in
        if let box { Unmanaged<LoopJob>.fromOpaque(box).takeRetainedValue().body() }
      }, box, takesLong)
    if failure == 0 { return true }
    Unmanaged<LoopJob>.fromOpaque(box).release()
    return false
  }
}
