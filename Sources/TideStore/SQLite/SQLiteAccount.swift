import CTideSQLite
import Synchronization
import TideLua

/// Counts the memory that SQLite uses for one app on all connections and threads, including rows on
/// their way to scripts.
final class SQLiteAccount: Sendable {
  // Unsafe, because it is a pointer: the account is counted atomically.
  nonisolated(unsafe) let raw: OpaquePointer
  /// The memory left after the last garbage collection.
  private let leftByCollection = Atomic(Int.max)

  /// Nil without memory.
  init?() {
    guard let made = tide_account_make() else { return nil }
    raw = made
  }

  deinit { tide_account_release(raw) }

  /// Counts the account's bytes as memory of a state's scripts.
  func join(_ state: LuaState) { state.count(tide_account_bytes(raw), of: self) }

  /// Limits the account to the memory that the state's scripts leave. If that is little, collects
  /// garbage first, unless that has just been done.
  func setLimit(by state: LuaState) {
    var room = state.memoryRoom
    let limit = state.memoryLimit
    if room >= limit / 4 {
      leftByCollection.store(.max, ordering: .relaxed)
    } else {
      let left = leftByCollection.load(ordering: .relaxed)
      if left == .max || room < left - limit / 32 {
        state.collectGarbage()
        room = state.memoryRoom
        leftByCollection.store(room, ordering: .relaxed)
      }
    }
    let (sum, passes) = tide_account_used(raw).addingReportingOverflow(UInt64(room))
    tide_account_set_limit(raw, passes ? .max : sum)
  }

  var used: Int { Int(clamping: tide_account_used(raw)) }
}

/// Memory reserved for the values of a query's rows on their way to scripts.
final class RowReservation: Sendable {
  private let account: SQLiteAccount?
  private let bytes = Atomic(0)

  init(_ account: SQLiteAccount?) { self.account = account }

  /// Reserves more bytes. Returns false if there is no room.
  func grow(by count: Int) -> Bool {
    guard let account else { return true }
    guard tide_account_reserve(account.raw, UInt64(count)) else { return false }
    bytes.add(count, ordering: .relaxed)
    return true
  }

  /// Transfers the reservation to the engine, which now holds the rows.
  ///
  /// - Throws: `memory` if there is no room for them.
  func pass(to state: LuaState) throws(LuaError) {
    let count = bytes.exchange(0, ordering: .relaxed)
    if count == 0 { return }
    if let account { tide_account_give_back(account.raw, UInt64(count)) }
    try state.charge(count)
  }

  deinit {
    let count = bytes.load(ordering: .relaxed)
    if let account, count > 0 { tide_account_give_back(account.raw, UInt64(count)) }
  }
}
