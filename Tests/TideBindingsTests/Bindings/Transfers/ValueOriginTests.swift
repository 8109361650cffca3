import Testing

@testable import TideBindings

/// The origin of a value says whether a failure is of the same objects.
@Suite struct `The origin of a value` {
  @Test func `covers a failure at the same object`() {
    #expect(ValueOrigin.end(1, value: 0).covers(.end(1, value: 0)))
    #expect(ValueOrigin.end(1, value: 7).covers(.end(1, value: 7)))
    // The path could not be read, so nobody knows what is at its end.
    #expect(ValueOrigin.end(1, value: 7).covers(.end(1, value: 0)))
  }

  @Test func `does not cover a failure at another object`() {
    #expect(!ValueOrigin.end(1, value: 0).covers(.end(2, value: 0)))
    #expect(!ValueOrigin.end(1, value: 7).covers(.end(1, value: 8)))
    #expect(!ValueOrigin.end(1, value: 0).covers(.reads([])))
  }

  @Test func `covers functions that have read no other objects before they failed`() {
    #expect(ValueOrigin.reads([1, 2, 3]).covers(.reads([1, 2])))
    #expect(ValueOrigin.reads([1, 2, 3]).covers(.reads([])))
    #expect(!ValueOrigin.reads([1, 2]).covers(.reads([1, 4])))
  }
}
