import Synchronization
package import TideGraph

extension BindingTable {
  /// Adds the memory of the records of bindings, observations and contexts.
  package func addHeld(to meter: inout MemoryMeter) {
    let counts = counts
    meter.add(counts.records * MemoryLayout<BindingRecord>.stride)
    meter.add(counts.contexts * Self.contextWeight)
    forEachNote { note in
      switch note {
      case .none: meter.add(MemoryLayout<BindingNote>.stride)
      case .origin: meter.add(Self.originWeight)
      case .details(let details):
        meter.add(Self.originWeight + Graph.allocatedBytes(of: details))
        details.addRare(to: &meter)
      }
    }
    addTransfers(to: &meter)
    meter.add(priors.values.reduce(0) { $0 + $1.count } * PriorObserver.weight)
    meter.add(contributions.count * Self.contributionWeight)
    forEachError { meter.add($0.weight) }
    meter.add(heldTexts.bytes.load(ordering: .relaxed))
  }

  /// Adds the memory of transfers.
  private func addTransfers(to meter: inout MemoryMeter) {
    for index in bindingIndexes {
      let record = record(index).pointee
      if record.edge != 0 { addTransfer(of: record.edge, to: &meter) }
      if record.reverse != 0 { addTransfer(of: record.reverse, to: &meter) }
    }
  }

  private func addTransfer(of edge: EdgeIndex, to meter: inout MemoryMeter) {
    guard let body = graph.body(of: edge) else { return }
    meter.add(Graph.allocatedBytes(of: body))
    let transfer = body as? BindingTransfer ?? (body as? Gate)?.transfer
    if let transfer {
      meter.add(transfer === body ? 0 : Graph.allocatedBytes(of: transfer))
      transfer.addParts(to: &meter)
    }
  }

  /// The size in bytes of a binding's notation and its table entry.
  private static let originWeight = 112
  private static let contextWeight = 160
  /// A binding's contribution to a shared property.
  private static let contributionWeight = 32
  /// The maximum size of a stored message in bytes. Up to a thousand messages are stored.
  private static let longestMessage = 8192

  /// Truncates the texts of an error to the maximum size.
  func shortened(_ error: TideError) -> TideError {
    guard error.weight > Self.longestMessage else { return error }
    var error = error
    error.message = Self.cut(error.message)
    error.path = error.path.map(Self.cut)
    error.traceback = error.traceback.map(Self.cut)
    if error.causeWeight > Self.longestMessage { error.cause = nil }
    return error
  }

  private static func cut(_ text: String) -> String {
    let count = text.utf8.count
    if count <= longestMessage { return text }
    return String(decoding: text.utf8.prefix(longestMessage), as: UTF8.self)
      + "… (\(count) bytes in all)"
  }
}

extension BindingTransfer {
  /// Adds the memory of its options, its functions and its pending result.
  func addParts(to meter: inout MemoryMeter) {
    if let options {
      meter.add(Graph.allocatedBytes(of: options))
      if options.validate != nil { meter.add(Graph.closureBytes) }
      if options.observe != nil { meter.add(Graph.closureBytes) }
    }
    if function != nil { meter.add(2 * Graph.closureBytes) }
    if let reads {
      meter.add(Graph.allocatedBytes(of: reads.takeUnretainedValue()))
    }
    if let late { meter.add(Graph.allocatedBytes(of: late)) }
    if let renewal { meter.add(Graph.allocatedBytes(of: renewal) + Graph.closureBytes) }
    if let finder { meter.add(Graph.allocatedBytes(of: finder) + Graph.closureBytes) }
  }
}

extension TideError {
  /// The bytes of its texts and of its cause's.
  fileprivate var weight: Int {
    message.utf8.count + (path?.utf8.count ?? 0) + (traceback?.utf8.count ?? 0) + causeWeight
  }

  fileprivate var causeWeight: Int { (cause as? any WeighedFailure)?.weight ?? 0 }
}
