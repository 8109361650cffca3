import TideGraph

/// The reads of a binding's transformers besides their argument: when one of them changes, the
/// binding carries its value again.
///
///     model ╶╶read╶╶▶ node ──▶ target
///     source ────────────────────▲
///
/// The node is another source of the target. The target waits for both sources, so the value is
/// carried once if both change.
final class TransformerReads {
  private let table: Unmanaged<BindingTable>
  /// Records the reads; nil until there are any.
  private var node: Slot?
  /// The count of language changes that the binding has followed.
  private var languageChanges: Int

  init(_ table: BindingTable) {
    self.table = .passUnretained(table)
    languageChanges = table.transformers.language.changes
  }

  /// Whether the app's language has changed since the last call.
  func takeLanguageChange() -> Bool {
    let changes = table.takeUnretainedValue().transformers.language.changes
    defer { languageChanges = changes }
    return changes != languageChanges
  }

  /// Calls a transformer within the binding's own edge and records its reads.
  @inline(__always)
  func record<Result>(for edge: EdgeIndex, _ body: () throws -> Result) throws -> Result {
    try table._withUnsafeGuaranteedRef { table in
      try table.withGraph { graph in
        try graph.recording(at: node, body) { follow($0, for: edge) }
      }
    }
  }

  @inline(never)
  private func follow(_ recorder: Slot, for edge: EdgeIndex) {
    let table = table.takeUnretainedValue(), graph = table.graph
    let owner = graph.owner(of: edge)
    // The transformer may have ended the binding.
    guard owner != 0, graph.isBinding(edge, ownedBy: owner) else { return graph.drop(recorder) }
    graph.follow(recorder, by: ReadsBody())
    node = recorder
    let details = table.makeDetails(for: owner)
    details.nodes.append(recorder)
    details.extraEdges.append(
      graph.connect(
        recorder, to: graph.target(of: edge), through: RepeatBody(of: edge), owner: owner))
  }
}

/// Counts as changed whenever a recorded read has changed.
private final class ReadsBody: ComputedBody {
  override func evaluate(_ slot: Slot) throws -> Bool {
    Graph.of(slot).keepReads()
    return true
  }
}

extension BindingTable {
  /// Writes the text at a view's end of a two-way binding in the app's new language, in which the
  /// former text may mean another value. The user's input that the model does not have stays.
  fileprivate func rewrite(_ edge: EdgeIndex, by transfer: BindingTransfer) -> Bool {
    let owner = graph.owner(of: edge)
    let (source, target) = (graph.source(of: edge), graph.target(of: edge))
    guard let opposite = transfer.opposite else { return false }
    if transfer.holder(of: source)?.takesEdits == true {
      if transfer.holdsEntry(of: owner) { return false }
      opposite.isRewriting = true
      carryBack(edge, of: owner)
      opposite.isRewriting = false
      return false
    }
    if opposite.holdsEntry(of: owner) { return false }
    transfer.isRewriting = true
    defer { transfer.isRewriting = false }
    return transfer.gate?.rewrite() ?? transfer.apply(edge, from: source, to: target)
  }
}

/// Applies the body of another edge.
private final class RepeatBody: TransformBody {
  private let edge: EdgeIndex

  init(of edge: EdgeIndex) { self.edge = edge }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    let graph = Graph.of(target)
    guard let body = graph.body(of: self.edge) else { return false }
    let table = BindingTable.of(graph)
    if let transfer = table.transfer(of: self.edge), transfer.opposite != nil,
      let reads = transfer.reads, reads._withUnsafeGuaranteedRef({ $0.takeLanguageChange() })
    {
      return table.rewrite(self.edge, by: transfer)
    }
    return body.apply(self.edge, from: graph.source(of: self.edge), to: target)
  }
}
