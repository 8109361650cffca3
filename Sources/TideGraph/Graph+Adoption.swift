import CTideSlots

extension Graph {
  /// A graph for an interpreter of its own: that of whoever runs here, or, where an interpreter has
  /// that already, one whose interpreter is gone, or another one of the same owner.
  ///
  /// Throws `OwnerlessError` in a task that is on no actor, and `CapacityError`.
  package static func adopt() throws -> Graph {
    guard let here else { throw OwnerlessError() }
    let first = here.first
    let found = first.isAdopted ? first.siblings.first { !$0.isAdopted } : first
    let graph = try found ?? first.makeSibling()
    graph.isAdopted = true
    return graph
  }

  /// The graph that its owner had first.
  var first: Graph { elder ?? self }

  private func makeSibling() throws(CapacityError) -> Graph {
    let made = try Graph()
    made.share(ownerOf: self)
    made.elder = self
    siblings.append(made)
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

/// A task that is on no actor has no graph: nothing says that it runs alone.
package struct OwnerlessError: Error {}
