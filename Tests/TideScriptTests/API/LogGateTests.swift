import Testing

@testable import TideScript

@Suite struct `A log gate` {
  @Test func `lets so many a second through and counts the others`() {
    var gate = LogGate(limit: 2)
    let passed = [0, 0.1, 0.2, 0.9, 1, 1.5, 1.9, 2.5].map { gate.admit(at: $0) }
    #expect(passed == [true, true, false, false, true, true, false, true])
    #expect(gate.takeDropped() == 3)
    #expect(gate.takeDropped() == 0)
  }
}
