import Synchronization
import TideGraph

/// Counts texts that are captured where they cannot be measured, such as in a function, as memory
/// of the app while this lives.
///
/// Names, paths and expressions have 64 KiB at most, and a script can make the engine keep any
/// number of them.
package final class CountedText: Sendable {
  /// The sum of all. The last user may be on another thread.
  package final class Sum: Sendable {
    let bytes = Atomic<Int>(0)
  }

  private let sum: Sum
  private let bytes: Int

  /// Shorter texts are part of the weight of their owners.
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
  /// Counts texts of so many bytes as long as the result is kept; nil when they are short.
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
  /// The same, whose functions keep texts that count.
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
  /// The bytes of a text.
  package var textBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .null, .boolean, .integer, .number, .object: 0
    }
  }
}

extension Path {
  /// The bytes of the names in it.
  package var nameBytes: Int { steps.nameBytes }
}

extension [PathStep] {
  package var nameBytes: Int { reduce(0) { $0 + ($1.propertyName?.utf8.count ?? 0) } }
}
