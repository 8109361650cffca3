import TideGraph

/// A person on its way to another world.
// Unchecked, because it is handed over, or used in ways that must be refused.
struct Parcel: @unchecked Sendable {
  let person: Person
  let age: Int
  let isFree: Bool
}

/// What worlds send each other.
final class Mail: Sendable {
  private let boxes: Guarded<[[Parcel]]>

  init(worlds: Int) { boxes = Guarded(Array(repeating: [], count: worlds)) }

  func send(_ parcel: Parcel, from sender: Int) {
    boxes.withLock { boxes in
      let receiver = (sender + 1) % boxes.count
      if boxes[receiver].count < 8 { boxes[receiver].append(parcel) }
    }
  }

  func take(_ receiver: Int) -> Parcel? { boxes.withLock { $0[receiver].popLast() } }
}

/// What went wrong, of which the first few are printed.
final class Report: Sendable {
  private let failures = Guarded<[String]>([])

  func fail(_ message: String) { failures.withLock { $0.append(message) } }

  func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) {
    if !isTrue { fail(message()) }
  }

  /// Prints what failed; whether nothing did.
  func finish() -> Bool {
    failures.withLock { failures in
      for failure in failures.prefix(10) { print("FAILED", failure) }
      return failures.isEmpty
    }
  }
}
