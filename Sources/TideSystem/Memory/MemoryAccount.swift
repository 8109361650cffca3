import CTideSystem
import Synchronization
import TideValues

/// The memory of one runtime, as far as bytes on their way to its scripts need to know it.
///
/// Whoever is about to hold bytes for a script reserves them first, and releases them once the
/// interpreter or the engine has counted its own copy:
///
/// ```swift
/// let rows = MemoryReservation(account)
/// guard rows.grow(by: row.count) == .granted else { throw … }
/// rows.shrink(to: 0)                    // or let go of it
/// ```
///
/// All functions may be called on any thread. What is reserved counts for the interpreter's own
/// limit at once. What the rest of the runtime holds is known from the last `note`.
package final class MemoryAccount: Sendable {
  /// What has come of a request.
  package enum Answer: Sendable {
    case granted
    /// Others hold what is missing, and will release it by themselves. `onRelease` is called then.
    case waits
    /// There is no such room, whatever others release.
    case refused
  }

  private struct State {
    /// 0: there is no limit.
    var limit: Int
    /// Bytes of everything that is not reserved here, as last noted.
    var used = 0
    /// Reserved by holders that ask once, and release without asking for more.
    var whole = 0
    /// Reserved by holders that ask again and again.
    var growing = 0
    /// Reserved for bytes that somebody outside has yet to take.
    var held = 0
    /// The one growing holder that may reserve beyond half of the room.
    var largest: ObjectIdentifier?
    var isAwaited = false

    var room: Int { max(0, limit - used) }
    var reserved: Int { whole + growing + held }
    /// Whether there is a holder that will release its bytes by itself.
    var isReleased: Bool { whole + growing > 0 }
  }

  private let state: Guarded<State>
  /// All that is reserved, where the interpreter reads it.
  // Unsafe, because the compiler cannot know that only atomic operations go through the pointer.
  private nonisolated(unsafe) let total = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
  private let onRelease: @Sendable () -> Void
  /// Bytes that the system's allocator has got back since it was last trimmed.
  private let freed = Atomic(0)

  /// - Parameters:
  ///   - limit: bytes that the runtime may take in all; 0 for no limit.
  ///   - onRelease: called on the releasing thread, once after an answer of `waits`.
  package init(limit: Int, onRelease: @escaping @Sendable () -> Void = {}) {
    state = Guarded(State(limit: limit))
    total.initialize(to: Atomic(0))
    self.onRelease = onRelease
  }

  deinit {
    total.deinitialize(count: 1)
    total.deallocate()
  }

  /// Bytes that are reserved.
  package var reserved: Int { total.pointee.load(ordering: .relaxed) }

  /// Where the number of reserved bytes is, for as long as the account lives.
  package var counter: UnsafeRawPointer { UnsafeRawPointer(total) }

  /// Says what the runtime holds beside what is reserved, and its limit; on the runtime's thread.
  package func note(used: Int, limit: Int) {
    state.withLock { state in
      state.used = used
      state.limit = limit
    }
  }

  /// Reserves bytes that are released without a further request; false where there is no room now.
  package func reserve(_ bytes: Int) -> Bool { reserveWhole(bytes) == .granted }

  /// Gives the system what its allocator keeps for later, once much has been freed: large blocks of
  /// many sizes leave holes as large as themselves.
  package func trim() {
    let limit = state.withLock(\.limit)
    guard limit > 0, freed.load(ordering: .relaxed) > limit / 16 else { return }
    freed.store(0, ordering: .relaxed)
    tide_trim_memory()
  }

  /// Says that a holder has freed bytes that it goes on reserving.
  func noteFreed(_ bytes: Int) { freed.wrappingAdd(bytes, ordering: .relaxed) }

  package func reserveWhole(_ bytes: Int) -> Answer {
    state.withLock { state in
      // Several together leave the scripts some room.
      let most = state.isReleased ? state.room / 4 * 3 : state.room
      guard state.limit > 0, state.reserved + bytes > most else {
        state.whole += bytes
        count(bytes)
        return .granted
      }
      guard state.isReleased, bytes <= state.room - state.held else { return .refused }
      state.isAwaited = true
      return .waits
    }
  }

  /// Reserves bytes that stay until somebody outside takes them, so nobody waits for their release.
  fileprivate func hold(_ bytes: Int) -> Bool {
    state.withLock { state in
      if state.limit > 0, state.reserved + bytes > state.room / 4 * 3 { return false }
      state.held += bytes
      count(bytes)
      return true
    }
  }

  fileprivate func releaseHeld(_ bytes: Int) {
    noteFreed(bytes)
    release { state in
      state.held -= bytes
      count(-bytes)
    }
  }

  /// Releases bytes of `reserve`.
  package func release(_ bytes: Int) {
    noteFreed(bytes)
    release { state in
      state.whole -= bytes
      count(-bytes)
    }
  }

  // Holders that ask again hold bytes while they wait, so all of them could wait for one another.
  // Therefore they share one half of the room, and a single one at a time gets the other half: it
  // ends some day, and the next one follows.
  fileprivate func grow(_ holder: MemoryReservation, by bytes: Int) -> Answer {
    state.withLock { state in
      let wanted = state.reserved + bytes
      if state.limit > 0, wanted > state.room / 2 {
        let isLargest = state.largest == nil || state.largest == ObjectIdentifier(holder)
        if isLargest { state.largest = ObjectIdentifier(holder) }
        if !isLargest || wanted > state.room && state.whole > 0 {
          state.isAwaited = true
          return .waits
        }
        if wanted > state.room { return .refused }
      }
      state.growing += bytes
      count(bytes)
      return .granted
    }
  }

  fileprivate func overdraw(_ bytes: Int) {
    state.withLock { state in
      state.growing += bytes
      count(bytes)
    }
  }

  fileprivate func shrink(_ holder: MemoryReservation, by bytes: Int, ends: Bool) {
    noteFreed(bytes)
    release { state in
      state.growing -= bytes
      count(-bytes)
      if ends, state.largest == ObjectIdentifier(holder) { state.largest = nil }
    }
  }

  private func release(_ body: (inout State) -> Void) {
    let isAwaited = state.withLock { state in
      body(&state)
      defer { state.isAwaited = false }
      return state.isAwaited
    }
    if isAwaited { onRelease() }
  }

  private func count(_ bytes: Int) {
    total.pointee.wrappingAdd(bytes, ordering: .relaxed)
  }
}

/// Bytes of an account that one holder has reserved, until it lets go of them.
///
/// One thread at a time may use it.
// Unchecked, because the holder hands it from thread to thread with the bytes that it stands for.
package final class MemoryReservation: @unchecked Sendable {
  package let account: MemoryAccount
  package private(set) var bytes = 0
  private var kind = Kind.growing

  private enum Kind { case growing, whole, held }

  package init(_ account: MemoryAccount) { self.account = account }

  deinit { shrink(to: 0) }

  /// Reserves all that the holder needs, which then asks for no more before it is done.
  package func reserveAll(_ count: Int) -> MemoryAccount.Answer {
    if kind != .whole { shrink(to: 0) }
    let answer = account.reserveWhole(count)
    guard answer == .granted else { return answer }
    kind = .whole
    bytes += count
    return answer
  }

  /// Reserves more.
  package func grow(by count: Int) -> MemoryAccount.Answer {
    if kind == .whole { return reserveAll(count) }
    let answer = account.grow(self, by: count)
    if answer == .granted { bytes += count }
    return answer
  }

  /// Changes the reservation to so many bytes, which stay until somebody outside takes them. It
  /// never waits; false if there is no room.
  package func hold(_ count: Int) -> Bool {
    if kind != .held { shrink(to: 0) }
    guard count > bytes else {
      shrink(to: count)
      return true
    }
    guard account.hold(count - bytes) else { return false }
    kind = .held
    bytes = count
    return true
  }

  /// Counts bytes that are held already, whether or not there is room.
  func overdraw(_ count: Int) {
    account.overdraw(count)
    bytes += count
  }

  package func shrink(by count: Int) { shrink(to: max(0, bytes - count)) }

  /// Releases all above so many bytes; with 0 others may take its place.
  package func shrink(to count: Int) {
    guard count < bytes || count == 0 else { return }
    let released = bytes - count
    bytes = count
    switch kind {
    case .growing: account.shrink(self, by: released, ends: count == 0)
    case .whole: account.release(released)
    case .held: account.releaseHeld(released)
    }
    if count == 0 { kind = .growing }
  }
}
