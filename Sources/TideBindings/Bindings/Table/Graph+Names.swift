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
  /// Describes a loop of slots, with the script lines that define them. The middle of a long loop
  /// is omitted. The last slot repeats the first.
  func names(of loop: [Slot]) -> String {
    let most = 20
    let names = loop.enumerated().map { index, slot in
      let isRepeated = index > 0 && slot == loop.first
      let line = isRepeated || slot.blockHeader == nil ? nil : definition(of: slot)
      return name(of: slot) + (line.map { " (\($0))" } ?? "")
    }
    if names.count <= most { return names.joined(separator: " -> ") }
    let middle = ["(\(loop.count - most) more)"]
    return (names.prefix(most / 2) + middle + names.suffix(most / 2)).joined(separator: " -> ")
  }

  /// The line of a script that defines a computed slot, an effect or an observer.
  private func definition(of slot: Slot) -> SourceLocation? {
    (body(of: slot) as? any LocatedBody)?.definition
  }

  /// The first line of a script that defines a slot of the loop that an error names.
  func definition(ofLoop error: any Error) -> SourceLocation? {
    for index in (error as? CycleError)?.loop ?? [] {
      if let definition = definition(of: slot(at: index)) { return definition }
    }
    return nil
  }

  /// The name of a slot that belongs to no object.
  private func kindName(of slot: Slot) -> String {
    let suffix = definition(of: slot).map { " at \($0)" } ?? ""
    return switch body(of: slot) {
    case is ObserverBody: "an observer\(suffix)"
    case is EffectBody: "an effect\(suffix)"
    case is FunctionBody: "a function"
    default: "value"
    }
  }
}

extension TideError {
  /// Wraps any error. Describes the loop of a cycle; an error of an unknown type gets `code`.
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
