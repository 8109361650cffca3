package import TideGraph

extension BindingTable {
  /// Adds what the records of bindings, observations and contexts take.
  package func addHeld(to meter: inout MemoryMeter) {
    let counts = counts
    meter.add(counts.records * MemoryLayout<BindingRecord>.stride)
    meter.add(counts.details * Self.detailsWeight + counts.contexts * Self.contextWeight)
    forEachError { meter.add($0.message) }
  }

  /// A binding's details with the functions and texts in them.
  private static let detailsWeight = 320
  private static let contextWeight = 160
  /// Longer messages are cut: a thousand of them are kept.
  private static let longestMessage = 8192

  /// An error whose message is not too long to be kept.
  func shortened(_ error: TideError) -> TideError {
    guard error.message.utf8.count > Self.longestMessage else { return error }
    var error = error
    let count = error.message.utf8.count
    let kept = error.message.utf8.prefix(Self.longestMessage)
    error.message = String(decoding: kept, as: UTF8.self) + "… (\(count) bytes in all)"
    return error
  }
}
