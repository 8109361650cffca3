import Fuzzing
import Testing
import TideValues

@testable import TideSystem

@Suite struct MemoryAccountTests {
  @Test func `what is reserved is missing for others until it is released`() {
    let account = MemoryAccount(limit: 100)
    #expect(account.reserve(60))
    #expect(!account.reserve(60))
    #expect(account.reserved == 60)
    account.release(60)
    #expect(account.reserve(100))
  }

  @Test func `what the runtime holds itself leaves less room`() {
    let account = MemoryAccount(limit: 100)
    account.note(used: 70, limit: 100)
    #expect(account.reserveWhole(31) == .refused)
    #expect(account.reserveWhole(30) == .granted)
  }

  @Test func `a request that others could make room for waits, a larger one is refused`() {
    let account = MemoryAccount(limit: 100)
    #expect(account.reserve(50))
    #expect(account.reserveWhole(80) == .waits)
    #expect(account.reserveWhole(101) == .refused)
  }

  @Test func `a release is reported once for all who wait`() {
    let reports = Guarded(0)
    let account = MemoryAccount(limit: 100) { reports.withLock { $0 += 1 } }
    #expect(account.reserve(50) && account.reserve(25))
    account.release(25)
    #expect(reports.withLock { $0 } == 0)
    #expect(account.reserveWhole(70) == .waits)
    #expect(account.reserveWhole(80) == .waits)
    account.release(50)
    #expect(reports.withLock { $0 } == 1)
  }

  @Test func `of those that ask again and again one at a time gets more than half`() {
    let account = MemoryAccount(limit: 100)
    let (first, second) = (MemoryReservation(account), MemoryReservation(account))
    #expect(first.grow(by: 25) == .granted)
    #expect(second.grow(by: 25) == .granted)
    #expect(second.grow(by: 25) == .granted)
    #expect(first.grow(by: 1) == .waits)
    #expect(second.grow(by: 50) == .refused)
    second.shrink(to: 0)
    #expect(first.grow(by: 75) == .granted)
  }

  @Test func `a reservation ends with its holder`() {
    let account = MemoryAccount(limit: 100)
    var reservation: MemoryReservation? = MemoryReservation(account)
    #expect(reservation?.reserveAll(80) == .granted)
    reservation = nil
    #expect(account.reserved == 0)
  }

  @Test func `without a limit everything is granted and counted`() {
    let account = MemoryAccount(limit: 0)
    #expect(account.reserve(1 << 40))
    #expect(account.reserved == 1 << 40)
  }

  @Test func `received bytes are counted with the room for more, and for a copy`() {
    let account = MemoryAccount(limit: 1000)
    let bytes = ReceivedBytes(account)
    #expect(bytes.reserve(100) == .granted)
    [UInt8](repeating: 1, count: 100).withUnsafeBytes { bytes.append($0) }
    #expect(account.reserved == 200)
    #expect(bytes.reserve(1) == .granted)
    #expect(account.reserved == 300)
    #expect(bytes.finish().count == 100)
    #expect(account.reserved == 100)
  }

  @Test func `what is held for others is waited for by nobody`() {
    let account = MemoryAccount(limit: 100)
    let (held, asking) = (MemoryReservation(account), MemoryReservation(account))
    #expect(held.hold(60) && !held.hold(80) && held.hold(70))
    #expect(account.reserveWhole(40) == .refused)
    #expect(asking.grow(by: 30) == .granted)
    #expect(asking.grow(by: 1) == .refused)
    #expect(held.hold(20) && account.reserved == 50)
    #expect(asking.grow(by: 50) == .granted)
  }

  @Test func `whoever waits is answered some day, whatever others do`() {
    for seed in 0..<2000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let account = MemoryAccount(limit: 100)
      var holders = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        Holder(account, &generator)
      }
      // Held bytes are taken only by those that are done.
      while !holders.isEmpty {
        holders.shuffle(using: &generator)
        guard let index = holders.firstIndex(where: { $0.goesOn() }) else {
          Issue.record("all \(holders.count) wait for one another; seed \(seed)")
          return
        }
        if holders[index].isDone { holders.remove(at: index) }
      }
      #expect(account.reserved == 0)
    }
  }

  /// Reads in steps, or at once, perhaps while it holds what somebody else is to take.
  private final class Holder {
    private let reservation: MemoryReservation
    private let held: MemoryReservation
    private let isWhole: Bool
    private let step: Int
    private var left: Int
    private(set) var isDone = false

    init(_ account: MemoryAccount, _ generator: inout SeededGenerator) {
      reservation = MemoryReservation(account)
      held = MemoryReservation(account)
      isWhole = Bool.random(using: &generator)
      left = Int.random(in: 1...120, using: &generator)
      step = isWhole ? left : Int.random(in: 1...left, using: &generator)
      if Bool.random(using: &generator) {
        // What is refused is not begun.
        isDone = !held.hold(Int.random(in: 0...60, using: &generator))
      }
    }

    /// Takes a step; false where it has to wait.
    func goesOn() -> Bool {
      if isDone { return true }
      let answer = isWhole ? reservation.reserveAll(left) : reservation.grow(by: min(step, left))
      switch answer {
      case .waits: return false
      case .refused: end()
      case .granted:
        left -= step
        if left <= 0 { end() }
      }
      return true
    }

    private func end() {
      reservation.shrink(to: 0)
      held.shrink(to: 0)
      isDone = true
    }
  }

  @Test func `several that ask once leave some room together`() {
    let account = MemoryAccount(limit: 100)
    #expect(account.reserve(40))
    #expect(account.reserveWhole(40) == .waits)
    #expect(account.reserveWhole(35) == .granted)
  }
}
