/// Bytes that arrive in pieces and are wanted as a whole; their room is reserved before it grows,
/// twice, because at the end somebody makes a copy of them.
///
/// ```swift
/// let body = ReceivedBytes(account)
/// guard body.reserve(piece.count) == .granted else { … }
/// body.append(piece)
/// ```
package final class ReceivedBytes {
  /// Ends with the last one who holds it, so that bytes may be handed on.
  package let reservation: MemoryReservation
  package private(set) var bytes: [UInt8] = []
  private var capacity = 0

  package init(_ account: MemoryAccount) { reservation = MemoryReservation(account) }

  /// Bytes that share a reservation with others.
  package init(_ reservation: MemoryReservation) { self.reservation = reservation }

  package var count: Int { bytes.count }

  /// Makes room for so many bytes more.
  package func reserve(_ more: Int) -> MemoryAccount.Answer {
    let least = bytes.count + more
    if least <= capacity { return .granted }
    let answer = enlarge(to: max(least, capacity + capacity / 2))
    return answer == .granted ? answer : enlarge(to: least)
  }

  private func enlarge(to wanted: Int) -> MemoryAccount.Answer {
    // While they move to the larger room, the smaller one is in the place of the copy.
    let answer = reservation.grow(by: 2 * (wanted - capacity))
    guard answer == .granted else { return answer }
    bytes.reserveCapacity(wanted)
    reservation.account.noteFreed(capacity)
    capacity = wanted
    return answer
  }

  /// Adds bytes; without room for them they are counted all the same.
  package func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
    if bytes.count <= capacity { return }
    reservation.overdraw(2 * (bytes.count - capacity))
    capacity = bytes.count
  }

  /// Gives all bytes, for whose copy there is room from now on.
  package func finish() -> [UInt8] {
    reservation.shrink(by: 2 * capacity - bytes.count)
    defer { (bytes, capacity) = ([], 0) }
    return bytes
  }

  /// Drops all bytes, and releases their room.
  package func removeAll() {
    reservation.shrink(by: 2 * capacity)
    (bytes, capacity) = ([], 0)
  }
}
