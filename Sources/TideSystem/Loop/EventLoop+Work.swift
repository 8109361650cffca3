import CTideSystem

extension EventLoop {
  /// Runs a function on another thread, and passes its result to the loop's thread.
  ///
  /// ```swift
  /// loop.work({ readWholeFile() }) { bytes in print(bytes.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - queue: runs the body after the jobs added to the queue earlier; nil for short jobs that do
  ///     not block.
  ///   - body: called on another thread; on the calling thread if no thread can be created.
  ///   - finish: called on the loop's thread, unless the work is cancelled before.
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

/// Work that another thread does for an event loop; see ``EventLoop/work(_:finish:)``.
// Unchecked, because only the loop's thread reads and clears the properties. Another thread may
// release the object, which then no longer references anything of the loop.
package final class LoopWork: @unchecked Sendable {
  private weak var loop: EventLoop?
  private var handler: ((Any) -> Void)?
  /// Removes the job from its queue if it has not started.
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

  /// Cancels delivery of the result.
  package func cancel() {
    guard handler != nil else { return }
    handler = nil
    withdraw?()
    withdraw = nil
    loop?.operations -= 1
  }
}

/// A function to be called on another thread.
final class LoopJob: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Calls the function on another thread. Returns false if no thread can be created.
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
