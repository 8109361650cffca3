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

  @Test func `what is no element is refused, whichever way it comes`() throws {
    let list = ObservableList<Int>([1])
    try list.values.append(2.0)
    for wrong: Value in ["x", 2.5, .null] {
      var errors: [TideError?] = []
      errors.append(#expect(throws: TideError.self) { try list.values.append(3, wrong) })
      errors.append(#expect(throws: TideError.self) { try list.values.insert(wrong, at: 0) })
      errors.append(#expect(throws: TideError.self) { try list.values.replace(at: 0, with: wrong) })
      errors.append(#expect(throws: TideError.self) { try list.values.set([wrong]) })
      #expect(errors.allSatisfy { $0?.code == .wrongType })
    }
    #expect(list.elements == [1, 2])
    #expect(list.count == 2)
  }

  @Test func `a list that a script has made takes the type of the property that gets it`() throws {
    let person = Person("Ada")
    let made = ValueList([.string("x")])
    #expect(throws: TideError.self) { try person.set("friends", .object(made)) }
    try made.clear()
    try person.set("friends", .object(made))
    #expect(throws: TideError.self) { try made.append("x") }
    try made.append(.object(Person("Grace")))
    #expect(person.friends.map(\.name) == ["Grace"])
  }

  @Test func `a list of another type is refused, and one of a subclass is not`() throws {
    final class Friend: DataObject {}
    let numbers = ObservableList<Int>().toValue()
    let error = #expect(throws: ValueMismatch.self) {
      try ObservableList<String>.from(numbers)
    }
    #expect("\(error as Any)".contains("list of String expected, got one of Int"))
    let friends = ObservableList<Friend>().toValue()
    #expect(try ObservableList<DataObject>.from(friends).isEmpty)
    #expect(throws: ValueMismatch.self) {
      try ObservableList<Friend>.from(ObservableList<DataObject>().toValue())
    }
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
