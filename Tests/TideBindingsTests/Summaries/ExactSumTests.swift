import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct ExactSumTests {
  private func sum(_ values: [Value]) -> Value {
    var sum = ExactSum()
    for value in values { sum.add(value) }
    return sum.value
  }

  @Test func `integers stay integers while they fit`() {
    #expect(sum([]) == 0)
    #expect(sum([1, 2, -5]) == -2)
    #expect(sum([.integer(.max), 1]) == .number(9_223_372_036_854_775_808))
    #expect(sum([.integer(.max), 1, -1]) == .integer(.max))
    #expect(sum([.integer(.min), .integer(.min)]) == .number(-18_446_744_073_709_551_616))
    guard case .integer = sum([.integer(.min), .integer(.max)]) else {
      Issue.record("no integer")
      return
    }
  }

  @Test func `floats are summed exactly and rounded once`() {
    #expect(sum([0.1, 0.2, 0.3]) == 0.6)
    #expect(sum([1e100, 1, -1e100]) == 1.0)
    #expect(
      sum([.number(.greatestFiniteMagnitude), .number(.greatestFiniteMagnitude)])
        == .number(.infinity))
    #expect(
      sum([
        .number(.greatestFiniteMagnitude), .number(.greatestFiniteMagnitude),
        .number(-.greatestFiniteMagnitude),
      ])
        == .number(.greatestFiniteMagnitude))
    #expect(sum([.number(.leastNonzeroMagnitude), .number(-.leastNonzeroMagnitude)]) == 0.0)
    #expect(sum([.number(.leastNonzeroMagnitude)]) == .number(.leastNonzeroMagnitude))
    #expect(
      sum([.number(.leastNormalMagnitude), .number(-.leastNonzeroMagnitude)])
        == .number(.leastNormalMagnitude.nextDown))
    #expect(sum([-1.5, -2.25]) == -3.75)
    #expect(sum([.integer(1 << 60), 0.5, .integer(-(1 << 60))]) == 0.5)
    #expect(sum([-7, 0.5]) == -6.5)
  }

  @Test func `what is neither finite nor a number is counted apart`() {
    #expect(sum([.number(.infinity), 1]) == .number(.infinity))
    #expect(sum([.number(.infinity), .number(-.infinity)]) == .number(.nan))
    #expect(sum([.number(.nan), 1.0]) == .number(.nan))
    var changing = ExactSum()
    for value: Value in [.number(.nan), .number(.infinity), 2.5] { changing.add(value) }
    changing.remove(.number(.nan))
    changing.remove(.number(.infinity))
    #expect(changing.value == 2.5)
  }

  @Test func `what is left does not depend on what was there`() {
    var random = SeededGenerator("exact sums")
    for _ in 0..<200 {
      var kept: [Value] = []
      var changing = ExactSum()
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        let value = value(&random)
        changing.add(value)
        if Bool.random(using: &random) {
          kept.append(value)
        } else {
          let other = self.value(&random)
          changing.add(other)
          changing.remove(value)
          changing.remove(other)
        }
      }
      #expect(changing.value == sum(kept.reversed()), "\(kept)")
    }
  }

  private func value(_ random: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .integer(.random(in: -1000...1000, using: &random))
    case 1: .integer(Int(bitPattern: UInt(truncatingIfNeeded: random.next())) >> 8)
    case 2: .number(.random(in: -1...1, using: &random))
    default:
      .number(
        Double(
          sign: Bool.random(using: &random) ? .plus : .minus,
          exponent: .random(in: -1074...1000, using: &random),
          significand: .random(in: 1..<2, using: &random)))
    }
  }
}
