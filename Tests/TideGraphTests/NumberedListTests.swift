import Testing
import TideGraph

@Suite struct `Numbered lists` {
  @Test func `keep the order of what is left, whatever leaves`() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0 ..< .max, using: &random)
    var state = seed
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var list = NumberedList<Int>()
    var model: [(number: Int, element: Int)] = []
    for round in 0..<5000 {
      if next(5) < (round < 2500 ? 3 : 2) {
        model.append((list.append(round), round))
      } else if !model.isEmpty {
        let gone = model.remove(at: next(model.count))
        #expect(list.remove(gone.number) == gone.element, "seed \(seed)")
        #expect(list.remove(gone.number) == nil, "seed \(seed)")
      }
      #expect(list.count == model.count)
    }
    #expect(Array(list) == model.map(\.element), "seed \(seed)")
    #expect(list.last { $0 % 2 == 0 } == model.last { $0.element % 2 == 0 }?.element)
  }

  @Test func `leave an element alone that is not the one that is meant`() {
    var list = NumberedList<String>()
    let number = list.append("a")
    list.remove(number) { $0 == "b" }
    #expect(Array(list) == ["a"])
    list.remove(number) { $0 == "a" }
    #expect(list.isEmpty)
  }
}
