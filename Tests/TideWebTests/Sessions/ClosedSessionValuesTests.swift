import Testing

@testable import TideWeb

@Suite struct ClosedSessionValuesTests {
  private static func values(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

  private static func browser(_ name: String, at address: String? = nil) -> PlaceHolder {
    PlaceHolder(browser: name, address: address)
  }

  @Test func `values are kept once, until they are taken`() {
    var kept = ClosedSessionValues(limit: 1600)
    kept.add([1], of: "ann", Self.browser("ann"))
    kept.add([2], of: "ann", Self.browser("ann"))
    #expect(kept.names == ["ann"])
    #expect(kept.take("ann") == [2])
    #expect(kept.take("ann") == nil)
    kept.add([3], of: "\u{e9}ve", Self.browser("eve"))
    #expect(!kept.contains("e\u{301}ve"))
    #expect(kept.take("\u{e9}ve") == [3])
    kept.add(Self.values(101), of: "ann", Self.browser("ann"))
    #expect(kept.names.isEmpty)
  }

  @Test func `who has most makes room, the oldest first`() {
    var kept = ClosedSessionValues(limit: 1600)
    kept.add(Self.values(10), of: "victim", Self.browser("victim"))
    for number in 1...40 { kept.add(Self.values(100), of: "\(number)", Self.browser("\(number)")) }
    #expect(kept.contains("victim"))
    #expect(!kept.contains("1") && kept.contains("40"))
  }

  @Test func `an address has half of the places, however many browsers come from it`() {
    var kept = ClosedSessionValues(limit: 1 << 20, count: 20)
    for number in 1...5 {
      kept.add([1], of: "own \(number)", Self.browser("own \(number)", at: "192.0.2.1"))
    }
    for number in 1...100 {
      kept.add([1], of: "\(number)", Self.browser("\(number)", at: "192.0.2.2"))
    }
    #expect(kept.names.count { $0.hasPrefix("own") } == 5)
    #expect(kept.names.count == 15)
    #expect(kept.names.last == "100")
  }

  @Test func `named persons are the last to lose theirs`() {
    var kept = ClosedSessionValues(limit: 1600)
    kept.add(Self.values(100), of: "ann", PlaceHolder(person: "ann", browser: nil, address: nil))
    for number in 1...40 { kept.add(Self.values(50), of: "\(number)", Self.browser("\(number)")) }
    #expect(kept.contains("ann"))
    for number in 1...16 {
      let holder = PlaceHolder(person: "\(number)", browser: nil, address: "192.0.2.1")
      kept.add(Self.values(100), of: "person \(number)", holder)
    }
    #expect(kept.names.allSatisfy { $0.hasPrefix("person") })
    #expect(kept.names.count == 16)
  }

  @Test func `sessions of nobody known count as one holder's`() {
    var kept = ClosedSessionValues(limit: 1600)
    kept.add(Self.values(50), of: "victim", Self.browser("victim"))
    let nobody = PlaceHolder(browser: nil, address: nil)
    for number in 1...100 { kept.add(Self.values(50), of: "page \(number)", nobody) }
    #expect(kept.contains("victim"))
    #expect(kept.names.last == "page 100")
  }
}
