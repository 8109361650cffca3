import Testing
import TideBindings
import TideGraph
import TideViews

/// What a program without scripts writes, line by line as the documentation shows it.
@Suite struct BindingWithoutScriptsTests {
  final class Person: DataObject {
    @Property var name = "Jimmy"
    @Property(validate: { $0 >= 0 ? .accept : .refuse("age must not be negative") }) var age = 12
    @Property var friends = ObservableList<Person>()
    @Computed({ (p: Person) in "\(p.name), \(p.age)" }) var title: String
  }

  let context = BindingContext()
  let person = Person()
  let label = LabelView()

  @Test func `key paths of one type are bound`() throws {
    try context.bind(person, \.name, to: label, \.text)
    #expect(label.text == "Jimmy")
    person.name = "Ada"
    #expect(label.text == "Ada")
    let title = LabelView()
    try context.bind(person, \.title, to: title, \.text)
    person.age = 36
    #expect(title.text == "Ada, 36")
  }

  @Test func `a function transforms`() throws {
    try context.bind(person, \.age, to: label, \.text) { "\($0) years" }
    #expect(label.text == "12 years")
    person.age += 1
    #expect(label.text == "13 years")
  }

  @Test func `two ways through a reversible transformer`() throws {
    let field = FieldView()
    person.name = " Ada "
    let binding = try context.bind(person, \.name, with: field, \.text, through: .trimmed)
    #expect(field.text == "Ada")
    field.text = "Bob "
    #expect(person.name == "Bob")
    // What was typed stays as it was typed.
    #expect(field.text == "Bob ")
    person.name = "Eve"
    #expect(field.text == "Eve")
    binding.unbind()
    person.name = "x"
    #expect(field.text == "Eve")
    let error = #expect(throws: TideError.self) {
      try context.bind(person, \.name, with: field, \.text, through: .uppercased)
    }
    #expect(error?.code == .irreversible)
  }

  @Test func `one way through a transformer value`() throws {
    try context.bind(person, \.name, to: label, \.text, through: .capitalized.then(.trimmed))
    person.name = " ada lovelace"
    #expect(label.text == "Ada Lovelace")
    let years = Transformer<Int, String> { age in "\(age) years" }
    let other = LabelView()
    try context.bind(person, \.age, to: other, \.text, through: years)
    #expect(other.text == "12 years")
  }

  @Test func `an expression with a dictionary of roots`() throws {
    let badge = LabelView()
    try context.bind(
      "person.friends.@count -> badge.text | plural(friend, friends)",
      ["person": person, "badge": badge])
    #expect(badge.text == "0 friends")
    person.friends.append(Person())
    #expect(badge.text == "1 friend")
    person.friends = [Person(), Person()]
    #expect(badge.text == "2 friends")
    let unknown = #expect(throws: TideError.self) {
      try context.bind("persn.name -> badge.text", ["person": person, "badge": badge])
    }
    #expect(unknown?.message.contains("did you mean \"person\"?") == true)
  }

  @Test func `an observation tells the new and the old value`() throws {
    var seen: [String] = []
    let observation = try context.observe(person, \.name, initial: true) { new, old in
      seen.append("\(old ?? "-")>\(new)")
    }
    person.name = "Ada"
    observation.cancel()
    person.name = "Eve"
    #expect(seen == ["->Jimmy", "Jimmy>Ada"])
  }

  @Test func `a control event calls a function until it is cancelled`() throws {
    let button = ButtonView("older")
    let handler = try context.on(button, .touchUpInside) { [person] _ in person.age += 1 }
    button.send(.touchUpInside)
    #expect(person.age == 13)
    context.isEnabled = false
    button.send(.touchUpInside)
    #expect(person.age == 13)
    context.isEnabled = true
    button.send(.touchUpInside)
    handler.cancel()
    button.send(.touchUpInside)
    #expect(person.age == 14)
    var now = 0
    try context.on(button, .touchUpInside, initial: true) { _ in now += 1 }
    #expect(now == 1)
    let error = #expect(throws: TideError.self) { try context.on(button, "touchUpInsid") { _ in } }
    #expect(error?.code == .unknownEvent)
  }

  @Test func `a disabled context catches up when it is enabled`() throws {
    try context.bind(person, \.name, to: label, \.text)
    context.isEnabled = false
    person.name = "Ada"
    #expect(label.text == "Jimmy")
    context.isEnabled = true
    #expect(label.text == "Ada")
    context.removeAll()
    person.name = "Eve"
    #expect(label.text == "Ada")
    #expect(context.count == 0)
  }

  @Test func `errors are held by the binding and listed by the context`() throws {
    let field = FieldView()
    let binding = try context.bind("age <> text", person, field)
    field.text = "-3"
    #expect(binding.error?.code == .refused)
    #expect(binding.error?.message.contains("age must not be negative") == true)
    #expect(context.errors.count == 1)
    #expect(person.age == 12)
    #expect(field.text == "-3")
    field.text = "3"
    #expect(binding.error == nil)
    #expect(context.errors.isEmpty)
    #expect(person.age == 3)
  }

  @Test func `a key path that is not one observable property is an error`() throws {
    let other = Person()
    for path: KeyPath<Person, Int> in [\.name.count, \.titleAndName, \.doubled, \.age.bitWidth] {
      let error = #expect(throws: TideError.self) {
        try context.bind(person, path, to: other, \.age)
      }
      #expect(error?.code == .notOneProperty)
    }
    let error = #expect(throws: TideError.self) {
      try context.bind(person, \.plain, to: person, \.age)
    }
    #expect(error?.code == .notOneProperty)
    #expect(error?.message.contains("no observable properties") == true)
    #expect(throws: TideError.self) {
      try context.observe(person, \.plain) { _, _ in }
    }
  }

  @Test func `a string expression that does not fit is a described error`() throws {
    let error = #expect(throws: TideError.self) { try context.bind("nmae -> text", person, label) }
    #expect(error?.message.contains("did you mean \"name\"?") == true)
    let other = Person()
    let listed = try context.bind("friends -> age", person, other)
    #expect(listed.error?.code == .conversion)
  }

  @Test func `references to properties are checked by the compiler alone`() {
    context.bind(person.$name, to: Person().$name)
    let other = Person()
    context.bind(person.$age, to: other.$age) { $0 * 2 }
    #expect(other.age == 24)
  }

  @Test func `several values in one text`() throws {
    try context.bind(
      [(person, "name"), (person, "age")], to: label, "text", format: "%s is %d")
    #expect(label.text == "Jimmy is 12")
    person.age = 13
    #expect(label.text == "Jimmy is 13")
    let other = LabelView()
    try context.bind(
      ["p.name", "p.friends.@count"], to: "l.text", format: "%{value2}@ of %{value1}@",
      ["p": person, "l": other])
    #expect(other.text == "0 of Jimmy")
    #expect(throws: TideError.self) {
      try context.bind([(person, "name")], to: label, "text", format: "%s %s")
    }
    var options = BindingOptions()
    options.format = "<%s>"
    try context.bind("name -> text", person, other, options)
    #expect(other.text == "<Jimmy>")
  }

  @Test func `a reference stands in for a property`() throws {
    let years = AnyTransformer("years", Transformer<Int, Int>({ $0 * 2 }, reverse: { $0 / 2 }))
    let reference = try ValueReference(person, \.age, through: years)
    #expect(reference["value"] == 24)
    try reference.set("value", 40)
    #expect(person.age == 20)
    try context.bind("value -> text", reference, label)
    #expect(label.text == "40")
    person.age = 1
    #expect(label.text == "2")
    #expect(throws: TideError.self) { try reference.set("value", -2) }
    let name = try ValueReference(person, "name")
    let again = try ValueReference(name, "value")
    try again.set("value", "Ada")
    #expect(person.name == "Ada")
    #expect(throws: TideError.self) { try ValueReference(person, "nmae") }
  }
}

extension BindingWithoutScriptsTests.Person {
  fileprivate var plain: Int { 3 }
  fileprivate var doubled: Int { age * 2 }
  fileprivate var titleAndName: Int { name.count + age }
}
