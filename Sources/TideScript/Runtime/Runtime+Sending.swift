import TideGraph

extension Runtime {
  /// Runs a function with the runtime on its own thread, at the next turn of its loop.
  public func send(_ body: @escaping @Sendable (Runtime) -> Void) { sender.send(body) }

  /// What other threads and tasks keep in order to send the runtime work.
  ///
  /// ```swift
  /// let sender = runtime.sender
  /// Task.detached { sender.send { try? $0.models["clock"]?.set("ticks", 1) } }
  /// ```
  public var sender: RuntimeSender { RuntimeSender(inbox: loop.inbox, home: home) }
}

/// Sends a runtime work from any thread, straight into its inbox.
public struct RuntimeSender: Sendable {
  let inbox: LoopInbox
  let home: Home

  /// Runs a function with the runtime on its own thread; nothing happens once the runtime is gone.
  public func send(_ body: @escaping @Sendable (Runtime) -> Void) {
    inbox.post { [home] in
      guard let runtime = home.runtime else { return }
      let outer = runtime.graph.enter()
      defer { Graph.leave(to: outer) }
      runtime.graph.beginBatch()
      body(runtime)
      runtime.home.runWithinBudget { runtime.graph.endBatch() }
    }
  }
}
