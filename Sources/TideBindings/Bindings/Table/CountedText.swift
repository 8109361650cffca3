import Synchronization
import TideGraph

/// Charges the app for texts that cannot be measured, such as those captured by a closure. The
/// charge ends when this object is released.
///
/// Names, paths and expressions are limited to 64 KiB each, but a script can make the engine keep
/// any number of them.
package final class CountedText: Sendable {
  /// The total of all charges. It is atomic because the last reference may be released on another
  /// thread.
  package final class Sum: Sendable {
    let bytes = Atomic<Int>(0)
  }

  private let sum: Sum
  private let bytes: Int

  /// Texts up to this size are part of the measured size of their owners.
  fileprivate static let short = 255

  /// Nil for short texts.
  init?(_ bytes: Int, in sum: Sum) {
    if bytes <= Self.short { return nil }
    self.bytes = bytes
    self.sum = sum
    sum.bytes.add(bytes, ordering: .relaxed)
  }

  deinit { sum.bytes.subtract(bytes, ordering: .relaxed) }
}

extension BindingTable {
  /// Charges texts of a given size until the result is released; nil for short texts.
  @inline(__always)
  package func hold(_ bytes: Int) -> CountedText? {
    bytes <= CountedText.short ? nil : holdLong(bytes)
  }

  @inline(never)
  private func holdLong(_ bytes: Int) -> CountedText? {
    hooks.oweMemory?(bytes)
    return CountedText(bytes, in: heldTexts)
  }
}

extension AnyTransformer {
  /// Returns a copy whose functions keep the charge for texts alive.
  package func keeping(_ texts: CountedText?) -> AnyTransformer {
    guard let texts else { return self }
    var kept = self
    kept.forward = forward.map { Self.keeping(texts, $0) }
    kept.reverse = reverse.map { Self.keeping(texts, $0) }
    kept.slotFunction = slotFunction.map { function in
      { source, target, otherwise in
        try withExtendedLifetime(texts) { try function(source, target, otherwise) }
      }
    }
    return kept
  }

  private static func keeping(_ texts: CountedText, _ function: @escaping Function) -> Function {
    { value in try withExtendedLifetime(texts) { try function(value) } }
  }
}

extension Value {
  /// The size of a text or byte string in bytes; 0 for other values.
  package var textBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .null, .boolean, .integer, .number, .object: 0
    }
  }
}

extension Path {
  /// The size of the path's names in bytes.
  package var nameBytes: Int { steps.nameBytes }
}

extension [PathStep] {
  package var nameBytes: Int { reduce(0) { $0 + ($1.propertyName?.utf8.count ?? 0) } }
}
