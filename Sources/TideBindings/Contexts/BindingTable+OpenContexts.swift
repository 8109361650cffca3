import CTideSlots
import TideGraph

// Which context what is made now belongs to. The graph's memory says it, because an interpreter
// that calls a script's observer by itself opens that observer's context there.

extension BindingTable {
  /// The innermost open context; nil where none is.
  package var openContext: BindingContext? {
    let memory = graph.memory
    if memory.pointee.begun > memory.pointee.begunBase {
      return begunContexts[Int(memory.pointee.begun) - 1]
    }
    return memory.pointee.context.map {
      Unmanaged<BindingContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs something with a context open. What it begins and does not finish ends with it.
  package func with<Result>(
    _ context: BindingContext, _ body: () throws -> Result
  ) rethrows -> Result {
    let memory = graph.memory
    let (outer, base) = (memory.pointee.context, memory.pointee.begunBase)
    let begun = memory.pointee.begun
    memory.pointee.context = Unmanaged.passUnretained(context).toOpaque()
    memory.pointee.begunBase = begun
    defer {
      memory.pointee.context = outer
      memory.pointee.begunBase = base
      memory.pointee.begun = begun
    }
    return try withExtendedLifetime(context, body)
  }

  /// How many contexts have been begun and not finished.
  package var begunCount: Int { Int(graph.memory.pointee.begun) }

  /// Opens a context until `finish`.
  package func begin(_ context: BindingContext) {
    let memory = graph.memory
    begunContexts.removeSubrange(Int(memory.pointee.begun)...)
    begunContexts.append(context)
    memory.pointee.begun += 1
  }

  /// Ends the innermost context that was begun here; false where there is none.
  package func finish() -> Bool {
    let memory = graph.memory
    guard memory.pointee.begun > memory.pointee.begunBase else { return false }
    memory.pointee.begun -= 1
    begunContexts.removeSubrange(Int(memory.pointee.begun)...)
    return true
  }

  func forgetOpenContexts() {
    begunContexts.removeAll()
    graph.memory.pointee.begun = 0
    graph.memory.pointee.begunBase = 0
    graph.memory.pointee.context = nil
  }
}
