/// Collects bytes that arrive in pieces. Reserves memory before growing the buffer: twice its size,
/// because the result will be copied.
///
/// ```swift
/// let body = ReceivedBytes(account)
/// guard body.reserve(piece.count) == .granted else { … }
/// body.append(piece)
/// ```
package final class ReceivedBytes {
  /// Shared with the receiver of the bytes, and released by its last owner.
  package let reservation: MemoryReservation
  package private(set) var bytes: [UInt8] = []
  private var capacity = 0

  package init(_ account: MemoryAccount) { reservation = MemoryReservation(account) }

  /// Creates a buffer that shares a reservation with others.
  package init(_ reservation: MemoryReservation) { self.reservation = reservation }

  package var count: Int { bytes.count }

  /// Reserves room for additional bytes.
  package func reserve(_ more: Int) -> MemoryAccount.Answer {
    let least = bytes.count + more
    if least <= capacity { return .granted }
    let answer = enlarge(to: max(least, capacity + capacity / 2))
    return answer == .granted ? answer : enlarge(to: least)
  }

  private func enlarge(to wanted: Int) -> MemoryAccount.Answer {
    // During the move to a larger buffer, the memory reserved for the copy holds the old buffer.
    let answer = reservation.grow(by: 2 * (wanted - capacity))
    guard answer == .granted else { return answer }
    bytes.reserveCapacity(wanted)
    reservation.account.noteFreed(capacity)
    capacity = wanted
    return answer
  }

  /// Appends bytes; counts them even if no memory is reserved for them.
  package func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
    if bytes.count <= capacity { return }
    reservation.overdraw(2 * (bytes.count - capacity))
    capacity = bytes.count
  }

  /// Returns all bytes; memory for one copy of them stays reserved.
  package func finish() -> [UInt8] {
    reservation.shrink(by: 2 * capacity - bytes.count)
    defer { (bytes, capacity) = ([], 0) }
    return bytes
  }

  /// Drops all bytes and releases their memory.
  package func removeAll() {
    reservation.shrink(by: 2 * capacity)
    (bytes, capacity) = ([], 0)
  }
}
