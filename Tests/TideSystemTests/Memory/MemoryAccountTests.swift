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

  @Test func `several that ask once leave some room together`() {
    let account = MemoryAccount(limit: 100)
    #expect(account.reserve(40))
    #expect(account.reserveWhole(40) == .waits)
    #expect(account.reserveWhole(35) == .granted)
  }
}
