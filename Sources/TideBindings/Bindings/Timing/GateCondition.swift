import TideGraph

/// Tracks the condition (`when`) of a binding. A condition that throws does not hold; its error is
/// the binding's error until the condition succeeds again.
final class GateCondition {
  private unowned(unsafe) let table: BindingTable
  private let node: Slot
  /// The slots to dispose of when the binding ends.
  let nodes: [Slot]

  /// - Parameters:
  ///   - root: the start of a path; held weakly.
  ///   - changed: called after everything has settled.
  init(
    _ condition: BindingOptions.Condition, of record: UInt32, from root: DataObject,
    in table: BindingTable, _ changed: @escaping (Bool) -> Void
  ) throws {
    self.table = table
    let graph = table.graph
    let function = try Self.function(condition, from: root)
    var hasFailed = false
    node = graph.makeComputed(
      FunctionBody { [unowned(unsafe) table] in
        do {
          let value = try function()
          if hasFailed { table.succeed(record) }
          hasFailed = false
          return .boolean(value)
        } catch {
          // A passing failure is not the condition's own: it will be evaluated again.
          if (error as? any PassingFailure)?.isPassing == true { throw error }
          hasFailed = true
          table.fail(record, error)
          return false
        }
      })
    try? graph.refresh(node)
    let observer = graph.makeObserver(
      of: node, ObserverFunction { _, value in changed(value == true) })
    nodes = [observer, node]
  }

  private static func function(
    _ condition: BindingOptions.Condition, from root: DataObject
  ) throws -> () throws -> Bool {
    switch condition {
    case .function(let function): return function
    case .path(let text):
      let end = try Endpoint(root, Path(text))
      let steps = end.path.steps
      let root = ObjectHandle(root)
      var memory: PathMemory?
      return {
        guard let root = root.object else { return false }
        let value = try PathReader.read(steps[...], from: root, keeping: &memory).value
        if case .object(is Marker) = value { return false }
        return value != .null && value != false
      }
    }
  }

  /// Whether it holds now.
  var holds: Bool {
    table.graph.untracked {
      try? table.graph.refresh(node)
      return node.load() == true
    }
  }
}
