import CTideSlots
import TideGraph

// The context to which new entries belong. The graph's memory holds it, because an interpreter that
// calls a script's observer directly opens that observer's context there.

extension BindingTable {
  /// The innermost open context; nil if none is open.
  package var openContext: BindingContext? {
    let memory = graph.memory
    if memory.pointee.begun > memory.pointee.begunBase {
      return begunContexts[Int(memory.pointee.begun) - 1].context
    }
    return calledContext
  }

  /// The context of the running function, whichever contexts that function has opened; nil if none
  /// is running.
  package var calledContext: BindingContext? {
    graph.memory.pointee.context.map {
      Unmanaged<BindingContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs a function with a context open. Contexts that it begins and does not finish are closed
  /// afterwards.
  package func with<Result>(
    _ context: BindingContext, _ body: () throws -> Result
  ) rethrows -> Result {
    let memory = graph.memory
    let (outer, base) = (memory.pointee.context, memory.pointee.begunBase)
    let begun = memory.pointee.begun
    memory.pointee.context = Unmanaged.passUnretained(context).toOpaque()
    memory.pointee.begunBase = begun
    defer {
      endUnfinished()
      memory.pointee.context = outer
      memory.pointee.begunBase = base
    }
    return try withExtendedLifetime(context, body)
  }

  /// Closes the contexts that the running function has begun and not finished. Contexts whose
  /// scopes were never closed, because the turn was stopped inside them, are cleared, as if their
  /// functions had failed.
  package func endUnfinished() {
    let memory = graph.memory
    let first = Int(memory.pointee.begunBase), begun = Int(memory.pointee.begun)
    guard begun > first else { return }
    let left = begunContexts[first..<begun]
    memory.pointee.begun = UInt32(first)
    begunContexts.removeSubrange(first...)
    for opened in left.reversed() where opened.scope != nil { opened.context.removeAll() }
  }

  /// The number of contexts that have been begun and not finished.
  package var begunCount: Int { Int(graph.memory.pointee.begun) }

  /// Opens a context until `finish`.
  package func begin(_ context: BindingContext) { begin(OpenContext(context)) }

  /// Opens a context until `finish()` or, if it has a scope, until `finish(_:)`.
  package func begin(_ opened: OpenContext) {
    let memory = graph.memory
    begunContexts.removeSubrange(Int(memory.pointee.begun)...)
    begunContexts.append(opened)
    memory.pointee.begun += 1
  }

  /// Closes the innermost context that the running function has begun. Returns false if there is
  /// none.
  package func finish() -> Bool {
    let memory = graph.memory
    let begun = Int(memory.pointee.begun)
    guard memory.pointee.begun > memory.pointee.begunBase, begunContexts[begun - 1].scope == nil
    else { return false }
    memory.pointee.begun -= 1
    begunContexts.removeSubrange(Int(memory.pointee.begun)...)
    return true
  }

  /// Closes the context of a scope, and the contexts begun in it and not finished.
  package func finish(_ scope: AnyObject) {
    let memory = graph.memory
    let begun = Int(memory.pointee.begun), base = Int(memory.pointee.begunBase)
    guard
      let index = begunContexts[base..<begun].lastIndex(where: { $0.scope === scope })
    else { return }
    memory.pointee.begun = UInt32(index)
    begunContexts.removeSubrange(index...)
  }

  /// Closes the contexts begun here and not finished, so that a waiting task can open them again.
  package func takeOpened() -> [OpenContext] {
    let memory = graph.memory
    let begun = Int(memory.pointee.begun), base = Int(memory.pointee.begunBase)
    guard begun > base else { return [] }
    let opened = Array(begunContexts[base..<begun])
    memory.pointee.begun = UInt32(base)
    begunContexts.removeSubrange(base...)
    return opened
  }

  func forgetOpenContexts() {
    begunContexts.removeAll()
    graph.memory.pointee.begun = 0
    graph.memory.pointee.begunBase = 0
    graph.memory.pointee.context = nil
  }
}

/// A context that a script has opened and not closed.
package struct OpenContext {
  let context: BindingContext
  /// The scope that closes it in place of `finish()`; nil for none.
  let scope: AnyObject?

  package init(_ context: BindingContext, scope: AnyObject? = nil) {
    self.context = context
    self.scope = scope
  }
}
