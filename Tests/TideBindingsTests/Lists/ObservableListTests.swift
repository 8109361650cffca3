import Testing
import TideGraph

@testable import TideBindings

@Suite struct ObservableListTests {
  final class Person: DataObject {
    @Property var name = ""
    @Property var value = 0
    @Property var friends = ObservableList<Person>()
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  @Test func `a typed list is edited with Swift values and positions from 0`() throws {
    let list: ObservableList<String> = ["a", "b"]
    list.append("c")
    try list.insert("x", at: 0)
    try list.move(from: 0, to: 3)
    try list.replace(at: 0, with: "A")
    #expect(list.elements == ["A", "b", "c", "x"])
    #expect(try list.remove(at: 1) == "b")
    #expect(list.remove("x"))
    #expect(!list.remove("zzz"))
    #expect(list[0] == "A")
    #expect(list[9] == nil)
    #expect(list.firstIndex(of: "c") == 1)
    list.set(["q"])
    #expect(Array(list) == ["q"])
    list.removeAll()
    #expect(list.isEmpty)
    #expect(throws: TideError.self) { try list.remove(at: 0) }
  }

  @Test func `a list of objects is a property like any other`() throws {
    let ada = Person("Ada")
    let grace = Person("Grace")
    ada.friends.append(grace)
    #expect(ada.friends[0] === grace)
    guard case .object(let list as ValueList) = try ada.value(of: "friends") else {
      Issue.record("no list")
      return
    }
    #expect(list === ada.friends.values)
    #expect(ada.friends.map(\.name) == ["Grace"])
    ada.friends = ObservableList([ada, grace])
    #expect(ada.friends.count == 2)
    #expect(list.count == 1)
  }

  @Test func `what a script put in of another type is left out`() throws {
    let list = ObservableList<Int>([1])
    try list.values.append("x", 2.0, 2.5)
    #expect(list.elements == [1, 2])
    #expect(list[1] == nil)
    #expect(list.count == 4)
  }

  @Test func `a typed list is observed in a context`() {
    let list = ObservableList<Int>([1])
    let context = BindingContext()
    defer { context.removeAll() }
    var changes: [ListChange] = []
    context.observe(list, initial: true) { changes.append($0) }
    list.append(2)
    #expect(changes.map(\.objects) == [[1], [2]])
  }
}
