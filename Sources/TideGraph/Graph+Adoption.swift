import CTideSlots

extension Graph {
  /// The calling thread's graph for an interpreter of its own: the one that it has, or, where an
  /// interpreter has that already, one whose interpreter is gone, or another one.
  package static func adopt() throws(CapacityError) -> Graph {
    let current = Graph.current
    if !current.isAdopted {
      current.isAdopted = true
      return current
    }
    let made: Graph
    if let unused = ThreadGraphs.unused {
      made = unused
    } else {
      made = try Graph()
      ThreadGraphs.keep(made)
    }
    made.isAdopted = true
    made.makeCurrent()
    return made
  }

  /// Takes away what the slots know of an interpreter that is gone.
  package func forgetLua() {
    for index in 1..<Int(max(1, arena.pointee.slotCount)) {
      slots[index].cache = 0
    }
    arena.pointee.deadCount = 0
  }
}
