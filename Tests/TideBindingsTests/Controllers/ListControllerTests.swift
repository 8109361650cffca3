import Testing
import TideGraph

@testable import TideBindings

@Suite struct ListControllerTests {
  final class Person: DataObject {
    @Property var name = ""
    @Property(validate: { $0 < 0 ? .refuse("age must not be negative") : .accept }) var age = 30
    @Property var friends = ObservableList<Person>()

    convenience init(_ name: String, _ age: Int = 30) {
      self.init()
      self.name = name
      self.age = age
    }
  }

  final class Label: DataObject {
    @Property var text = ""
  }

  private let context = BindingContext()

  private func people(_ count: Int) -> ObservableList<Person> {
    ObservableList((0..<count).map { Person("p\($0)", $0) })
  }

  @Test func `it arranges, selects and edits from Swift as from scripts`() throws {
    let list = people(6)
    let controller = ListController(list)
    #expect(controller.selectionIndex == 0)
    controller.selectionIndexes = [1, 2, 98]
    #expect(controller.selectionIndexes == [1, 2])
    #expect(controller.selection["name"] == Marker.multipleValues.value)
    try controller.selection.assign("name", "both")
    #expect(list[1]?.name == "both" && list[2]?.name == "both")
    controller.sort = try .key("age", ascending: false)
    controller.filter = { row in Person.make(from: row).map { $0.age > 1 } ?? false }
    #expect(controller.arrangedObjects.count == 4)
    #expect(controller.selectionIndexes == [3])
    let added = Person("new", 1)
    try controller.add(added.makeValue())
    #expect(controller.filter == nil)
    #expect(controller.selectedObject == added.makeValue())
    #expect(try controller.remove(added.makeValue()))
    #expect(list.count == 6)
    #expect(controller.selectedObjects.count == 1)
  }

  @Test func `bindings show the selection and its placeholders, and write to it`() throws {
    let list = people(3)
    let controller = ListController(list)
    let label = Label()
    var options = BindingOptions()
    options.noSelection = "nobody"
    options.multipleValues = "several"
    try context.bind("selection.name <> text", controller, label, options)
    #expect(label.text == "p0")
    label.text = "Ada"
    #expect(list[0]?.name == "Ada")
    try controller.selectAll()
    #expect(label.text == "several")
    #expect(list[1]?.name == "p1")
    controller.selectionIndex = nil
    #expect(label.text == "nobody")
    label.text = "x"
    #expect(context.errors.map(\.code) == [.refused])
    controller.selectionIndex = 2
    #expect(label.text == "p2")
    #expect(context.errors.isEmpty)
  }

  @Test func `placeholders of a class hold until their context ends`() throws {
    let controller = ListController()
    let label = Label()
    let own = BindingContext()
    try own.setPlaceholders(.init(noSelection: "nobody"), of: label.shape, "text")
    let controllerNames = #expect(throws: TideError.self) {
      try own.setPlaceholders(.init(), of: label.shape, "texd")
    }
    #expect(controllerNames?.message.contains("\"text\"") == true)
    try context.bind("selection.name -> text", controller, label)
    #expect(label.text == "nobody")
    own.removeAll()
    let other = Label()
    try context.bind("selection.name -> text", controller, other)
    #expect(other.text == "")
  }

  @Test func `an edit that nobody commits is found, committed and discarded`() throws {
    let list = people(2)
    let controller = ListController(list)
    let label = Label()
    try context.bind("selection.age <> text", controller, label)
    label.text = "-4"
    #expect(controller.isEditing)
    let refusal = #expect(throws: TideError.self) { try controller.commitEditing() }
    #expect(refusal?.message == "age must not be negative")
    controller.selectionIndex = 1
    #expect(controller.selectionIndex == 0)
    controller.discardEditing()
    #expect(label.text == "0" && !controller.isEditing)
    controller.selectionIndex = 1
    #expect(label.text == "1")
    label.text = "-1"
    context.removeAll()
    #expect(!controller.isEditing)
  }

  @Test func `edits are judged together before any is written`() throws {
    let person = Person("Ada", 36)
    let controller = ObjectController(person)
    controller.beginEditing()
    try controller.selection.assign("name", "Eve")
    try controller.selection.assign("age", -1)
    #expect(controller.selection["name"] == "Eve" && person.name == "Ada")
    #expect(throws: TideError.self) { try controller.commitEditing() }
    #expect(person.name == "Ada" && controller.isEditing)
    try controller.selection.assign("age", 37)
    try controller.commitEditing()
    #expect(person.name == "Eve" && person.age == 37 && !controller.isEditing)
  }

  @Test func `another order is one change, and views that follow it see the same rows`() throws {
    let list = people(50)
    let controller = ListController(list)
    var changes = 0
    var mirror: [Value] = []
    context.observe(controller.arrangedObjects, initial: true) { change in
      changes += 1
      try change.apply(to: &mirror)
    }
    changes = 0
    controller.sort = try .key("age", ascending: false)
    #expect(changes == 1)
    #expect(mirror == list.values.values.reversed())
    controller.sort = try .keys([SortKey("friends.@count"), SortKey("name")])
    #expect(changes == 2)
    #expect(mirror == controller.arrangedObjects.values)
    list[7]?.name = "a"
    #expect(mirror.first == list[7]?.makeValue())
    #expect(controller.selectedObject == list[0]?.makeValue())
  }

  @Test func `a row that is inserted elsewhere tells nobody of the selection`() throws {
    let list = people(1000)
    let controller = ListController(list)
    controller.selectionIndexes = [0, 2]
    var notes = 0
    try context.observe(controller, "selection.name") { _, _ in notes += 1 }
    try context.observe(controller, "selectionIndex") { _, _ in notes += 1 }
    for number in 0..<100 { list.append(Person("late \(number)")) }
    #expect(notes == 0)
    #expect(controller.selectionIndexes == [0, 2])
    try list.insert(Person("early"), at: 0)
    #expect(notes == 1)
    #expect(controller.selectionIndexes == [1, 3])
  }

  @Test func `all rows selected are one run, and a row in between makes two`() throws {
    let list = people(2000)
    let controller = ListController(list)
    try controller.selectAll()
    #expect(Array(controller.rows.rows.runs) == [0..<2000])
    try list.insert(Person("in between"), at: 1000)
    #expect(Array(controller.rows.rows.runs) == [0..<1000, 1001..<2001])
  }

  @Test func `rows that stand apart are removed by one change`() throws {
    let list = ValueList((1...10).map { .integer($0) } + [2, 4])
    let controller = ListController(list)
    controller.selectionIndexes = [1, 2, 3, 10]
    var changes: [ListChange] = []
    let context = BindingContext("removals")
    let observation = context.observe(list) { changes.append($0) }
    defer { observation.cancel() }
    try controller.remove([8, 2, 99, 4, 2])
    #expect(changes == [ListChange(.removal, [1, 3, 7, 10], [2, 4, 8, 2])])
    #expect(list.values == [1, 3, 5, 6, 7, 9, 10, 4])
    #expect(controller.selectionIndexes == [1])
    try controller.remove([9, 10])
    #expect(changes.count == 2 && list.values == [1, 3, 5, 6, 7, 4])
  }

  @Test func `bad filters, orders and indexes are refused with what is expected`() throws {
    let controller = ListController(people(2))
    for (name, value) in [("sort", 5), ("filter", true), ("selectionIndex", "one")]
      as [(String, Value)]
    {
      let error = #expect(throws: TideError.self) { try controller.set(name, value) }
      #expect(error?.message.isEmpty == false)
    }
    #expect(throws: TideError.self) { try controller.set("sort", "a..b") }
    #expect(throws: TideError.self) { try controller.insert(1, at: 8) }
    #expect(throws: TideError.self) { try controller.remove(at: [2]) }
    #expect(throws: TideError.self) { try controller.add() }
    #expect(controller.arrangedObjects.count == 2)
  }

  @Test func `rows that fail in the filter are left out, and listed`() throws {
    let controller = ListController(ValueList([1, 2]))
    controller.filter = { _ in throw TideError(.badArgument, "no") }
    #expect(controller.arrangedObjects.count == 0)
    #expect(BindingTable.current.errors.contains { $0.message == "no" })
    controller.filter = nil
    #expect(controller.arrangedObjects.count == 2)
  }
}
