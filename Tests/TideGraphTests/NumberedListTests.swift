import Fuzzing
import Testing
import TideGraph

@Suite struct `Numbered lists` {
  @Test func `keep the order of what is left, whatever leaves`() {
    var random = SeededGenerator("numbered lists")
    func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    var list = NumberedList<Int>()
    var model: [(number: Int, element: Int)] = []
    for round in 0..<5000 {
      if next(5) < (round < 2500 ? 3 : 2) {
        model.append((list.append(round), round))
      } else if !model.isEmpty {
        let gone = model.remove(at: next(model.count))
        #expect(list.remove(gone.number) == gone.element)
        #expect(list.remove(gone.number) == nil)
      }
      #expect(list.count == model.count)
      #expect(list.firstNumber == model.first?.number)
    }
    #expect(Array(list) == model.map(\.element))
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
