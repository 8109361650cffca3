import CTideSystem
import Synchronization
import TideValues

/// The memory of one runtime, for code that receives bytes for its scripts.
///
/// Code that is about to hold bytes for a script reserves them first, and releases the reservation
/// once the interpreter or the engine has counted its own copy:
///
/// ```swift
/// let rows = MemoryReservation(account)
/// guard rows.grow(by: row.count) == .granted else { throw … }
/// rows.shrink(to: 0)                    // or release it
/// ```
///
/// All functions may be called on any thread. Reserved bytes count towards the interpreter's limit
/// immediately. The rest of the runtime's use is known from the last `note`.
package final class MemoryAccount: Sendable {
  /// The result of a request.
  package enum Answer: Sendable {
    case granted
    /// The memory is reserved by other holders that will release it. `onRelease` is called then.
    case waits
    /// The memory does not suffice, even if other holders release theirs.
    case refused
  }

  private struct State {
    /// The limit in bytes; 0 for no limit.
    var limit: Int
    /// Bytes in use apart from reservations, as last noted.
    var used = 0
    /// Bytes reserved by holders that ask once, and release without asking for more.
    var whole = 0
    /// Bytes reserved by holders that ask repeatedly.
    var growing = 0
    /// Bytes reserved until an external receiver takes them.
    var held = 0
    /// The single growing holder that may reserve more than half of the available memory.
    var largest: ObjectIdentifier?
    var isAwaited = false

    var room: Int { max(0, limit - used) }
    var reserved: Int { whole + growing + held }
    /// Whether there is a holder that will release its bytes without external action.
    var isReleased: Bool { whole + growing > 0 }
  }

  private let state: Guarded<State>
  /// The total of reserved bytes, read by the interpreter.
  // Unsafe, because the compiler cannot know that all accesses through the pointer are atomic.
  private nonisolated(unsafe) let total = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
  private let onRelease: @Sendable () -> Void
  /// Bytes freed to the system's allocator since it was last trimmed.
  private let freed = Atomic(0)

  /// - Parameters:
  ///   - limit: the runtime's memory limit in bytes; 0 for no limit.
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

  /// The number of reserved bytes.
  package var reserved: Int { total.pointee.load(ordering: .relaxed) }

  /// The address of the number of reserved bytes, valid while the account lives.
  package var counter: UnsafeRawPointer { UnsafeRawPointer(total) }

  /// Reports the runtime's memory use apart from reservations, and its limit; on the runtime's
  /// thread.
  package func note(used: Int, limit: Int) {
    state.withLock { state in
      state.used = used
      state.limit = limit
    }
  }

  /// Reserves bytes that are released without a further request. Returns false if there is no
  /// memory now.
  package func reserve(_ bytes: Int) -> Bool { reserveWhole(bytes) == .granted }

  /// Returns free memory from the allocator to the system, once much has been freed: freeing large
  /// blocks of many sizes fragments the heap.
  package func trim() {
    let limit = state.withLock(\.limit)
    guard limit > 0, freed.load(ordering: .relaxed) > limit / 16 else { return }
    freed.store(0, ordering: .relaxed)
    tide_trim_memory()
  }

  /// Reports that a holder has freed bytes that remain reserved.
  func noteFreed(_ bytes: Int) { freed.wrappingAdd(bytes, ordering: .relaxed) }

  package func reserveWhole(_ bytes: Int) -> Answer {
    state.withLock { state in
      // Concurrent holders leave a quarter of the memory to scripts.
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

  /// Reserves bytes until an external receiver takes them. Other holders do not wait for their
  /// release.
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

  /// Releases bytes reserved by `reserve`.
  package func release(_ bytes: Int) {
    noteFreed(bytes)
    release { state in
      state.whole -= bytes
      count(-bytes)
    }
  }

  // Growing holders keep their bytes while they wait, so they could deadlock. Therefore they share
  // one half of the memory, and only one at a time may use the other half: it eventually ends, and
  // the next one follows.
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

/// Bytes of an account reserved by one holder until it releases them.
///
/// Only one thread may use it at a time.
// Unchecked, because holders pass it between threads together with the bytes that it accounts for.
package final class MemoryReservation: @unchecked Sendable {
  package let account: MemoryAccount
  package private(set) var bytes = 0
  private var kind = Kind.growing

  private enum Kind { case growing, whole, held }

  package init(_ account: MemoryAccount) { self.account = account }

  deinit { shrink(to: 0) }

  /// Reserves everything that the holder needs; the holder then asks for no more until it is done.
  package func reserveAll(_ count: Int) -> MemoryAccount.Answer {
    if kind != .whole { shrink(to: 0) }
    let answer = account.reserveWhole(count)
    guard answer == .granted else { return answer }
    kind = .whole
    bytes += count
    return answer
  }

  /// Reserves more bytes.
  package func grow(by count: Int) -> MemoryAccount.Answer {
    if kind == .whole { return reserveAll(count) }
    let answer = account.grow(self, by: count)
    if answer == .granted { bytes += count }
    return answer
  }

  /// Changes the reservation to a number of bytes held until an external receiver takes them. Never
  /// waits; returns false if there is no memory.
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

  /// Counts bytes that are already in use, even beyond the limit.
  func overdraw(_ count: Int) {
    account.overdraw(count)
    bytes += count
  }

  package func shrink(by count: Int) { shrink(to: max(0, bytes - count)) }

  /// Releases the bytes above a number. At 0, other holders may proceed.
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
