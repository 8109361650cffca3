import CTideSQLite
import Synchronization
import TideLua

/// What SQLite holds for one app, on all of its connections and threads, and the rows that are on
/// their way from there.
final class SQLiteAccount: Sendable {
  // Unsafe, because it is a pointer: the account is counted atomically.
  nonisolated(unsafe) let raw: OpaquePointer
  /// What was left for the account when garbage was collected last.
  private let leftByCollection = Atomic(Int.max)

  /// Nil without memory.
  init?() {
    guard let made = tide_account_make() else { return nil }
    raw = made
  }

  deinit { tide_account_release(raw) }

  /// Has the bytes of the account count as those of a state's scripts.
  func join(_ state: LuaState) { state.count(tide_account_bytes(raw), of: self) }

  /// Lets the account hold what the state's scripts leave. Where that is little, collects what
  /// scripts have dropped, unless that has just been done.
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

/// Bytes that the values of a query's rows take while they are on their way to scripts.
final class RowReservation: Sendable {
  private let account: SQLiteAccount?
  private let bytes = Atomic(0)

  init(_ account: SQLiteAccount?) { self.account = account }

  /// Reserves so many bytes more; false where there is no room for them.
  func grow(by count: Int) -> Bool {
    guard let account else { return true }
    guard tide_account_reserve(account.raw, UInt64(count)) else { return false }
    bytes.add(count, ordering: .relaxed)
    return true
  }

  /// Lets the engine count the rows from now on, which holds them.
  ///
  /// - Throws: `memory` where there is no room for them.
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
