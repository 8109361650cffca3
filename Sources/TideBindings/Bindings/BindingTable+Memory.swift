package import TideGraph

extension BindingTable {
  /// Adds what the records of bindings, observations and contexts take.
  package func addHeld(to meter: inout MemoryMeter) {
    let counts = counts
    meter.add(counts.records * MemoryLayout<BindingRecord>.stride)
    meter.add(counts.details * Self.detailsWeight + counts.contexts * Self.contextWeight)
    forEachError { meter.add($0.weight) }
  }

  /// A binding's details with the functions and texts in them.
  private static let detailsWeight = 320
  private static let contextWeight = 160
  /// Longer messages are cut: a thousand of them are kept.
  private static let longestMessage = 8192

  /// An error of which nothing is too long to be kept.
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

extension TideError {
  /// The bytes of what it tells, and of what its cause does.
  fileprivate var weight: Int {
    message.utf8.count + (path?.utf8.count ?? 0) + (traceback?.utf8.count ?? 0) + causeWeight
  }

  fileprivate var causeWeight: Int { (cause as? any WeighedFailure)?.weight ?? 0 }
}
