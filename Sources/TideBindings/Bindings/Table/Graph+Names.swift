package import TideGraph

extension Graph {
  /// The name of a slot in messages: `Person.name`.
  package func name(of slot: Slot) -> String {
    guard let header = slot.blockHeader, let object = header.block as? DataObject,
      slot > header, object.shape.propertiesByIndex.indices.contains(slot - header - 1)
    else { return kindName(of: slot) }
    return "\(object.label).\(object.shape.propertiesByIndex[slot - header - 1].name)"
  }
}

extension Graph {
  /// A loop of slots in words, without the middle of a long one.
  func names(of loop: [Slot]) -> String {
    let most = 20
    if loop.count <= most { return loop.map { name(of: $0) }.joined(separator: " -> ") }
    let first = loop.prefix(most / 2).map { name(of: $0) }
    let last = loop.suffix(most / 2).map { name(of: $0) }
    return (first + ["(\(loop.count - most) more)"] + last).joined(separator: " -> ")
  }

  /// The name of a slot that belongs to no object.
  private func kindName(of slot: Slot) -> String {
    let body = body(of: slot)
    let suffix = (body as? any LocatedBody)?.definition.map { " at \($0)" } ?? ""
    return switch body {
    case is ObserverBody: "an observer\(suffix)"
    case is EffectBody: "an effect\(suffix)"
    case is FunctionBody: "a function"
    default: "value"
    }
  }
}

extension TideError {
  /// Wraps any error, with the loop of a cycle in words; an error of another type gets the code.
  package init(wrapping error: any Error, graph: Graph, code: Code = .transformer) {
    switch error {
    case let error as TideError: self = error
    case let error as CycleError:
      let names = graph.names(of: error.loop.map { graph.slot(at: $0) })
      self.init(.cycle, "these depend on each other: " + names)
    case is DepthError:
      self.init(.depth, "computed values nest too deep to evaluate; read the inner ones first")
    case let error as WorkError: self.init(error)
    case is CapacityError: self.init(WorkError.memory)
    case let pending as PendingValue:
      pending.cancel()
      self.init(.async, "a function that takes its time is used where nobody can wait for it")
    case let error as any CustomStringConvertible:
      self.init(code, error.description, cause: error as? any Error)
    default: self.init(code, "\(error)", cause: error)
    }
  }
}
