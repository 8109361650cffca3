import Fuzzing
import TideBindings
import TideGraph
import TideScript

final class Person: DataObject {
  @Property var name = "nobody"
  @Property(validate: { $0 >= 0 ? .accept : .refuse("age must not be negative") }) var age = 0
  @Property var friends = ObservableList<Int>()
  @Computed({ (p: Person) in "\(p.name), \(p.age)" }) var title: String

  convenience init(_ name: String, _ age: Int) {
    self.init()
    self.name = name
    self.age = age
  }
}

final class Label: DataObject {
  @Property var text = ""
  @Property var amount = 0
}

/// What one actor or thread does with its objects, beside a plain model of what they must hold.
final class World {
  /// A person with what is known of it.
  private final class Known {
    let person: Person
    var name: String
    var age: Int
    var friends: [Int] = []
    /// What is bound to it.
    var label: Label?
    var seenAge: Int?
    var seenEdits = 0, expectedEdits = 0

    init(_ person: Person, _ name: String, _ age: Int) {
      self.person = person
      self.name = name
      self.age = age
    }
  }

  private let number: Int
  private var random: SeededGenerator
  private let mail: Mail
  private let report: Report
  private var people: [Known] = []
  private var context = BindingContext()
  private let runtime: Runtime?
  private var made = 0

  init(
    _ number: Int, seed: UInt64, _ mail: Mail, _ report: Report, hasRuntime: Bool
  ) throws {
    self.number = number
    random = SeededGenerator(seed: seed &+ UInt64(number) &* 7919)
    self.mail = mail
    self.report = report
    runtime = hasRuntime ? try Runtime(file: "world\(number).lua") : nil
  }

  func step() {
    switch randomNumber(below: 12) {
    case 0, 1: make()
    case 2, 3: writeAge()
    case 4: rename()
    case 5: editFriends()
    case 6: send()
    case 7: receive()
    case 8: releaseElsewhere()
    case 9: askScript()
    case 10: if randomNumber(below: 20) == 0 { beginAnew() } else { writeAge() }
    default: checkAll()
    }
    if people.count > 12 { people.removeFirst() }
  }

  private func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) {
    if !isTrue { report.fail("world \(number): \(what())") }
  }

  private func randomNumber(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private func any() -> Known? {
    people.isEmpty ? nil : people[randomNumber(below: people.count)]
  }

  private func make() {
    made += 1
    let age = randomNumber(below: 100)
    let name = "p\(number).\(made)"
    let known = Known(Person(name, age), name, age)
    people.append(known)
    // Some stay nobody's.
    if randomNumber(below: 3) > 0 { follow(known) }
  }

  private func follow(_ known: Known) {
    let label = Label()
    do {
      try context.bind(known.person, \.name, to: label, \.text)
      context.bind(known.person.$age, to: label.$amount) { $0 * 2 }
      context.observe(known.person.$age, initial: true) { [unowned known] new, _ in
        known.seenAge = new
      }
      context.observe(known.person.friends) { [unowned known] _ in known.seenEdits += 1 }
      known.expectedEdits = known.seenEdits
      known.label = label
    } catch {
      expect(false, "an own person cannot be bound: \(error)")
    }
    check(known)
  }

  private func writeAge() {
    guard let known = any() else { return }
    let age = randomNumber(below: 120) - 20
    known.person.age = age
    if age >= 0 { known.age = age }
    check(known)
  }

  private func rename() {
    guard let known = any() else { return }
    known.name = "n\(randomNumber(below: 1000))"
    do {
      try known.person.set("name", .string(known.name))
    } catch {
      expect(false, "\(error)")
    }
    check(known)
  }

  private func editFriends() {
    guard let known = any() else { return }
    if known.friends.count > 4 {
      known.person.friends.removeAll()
      known.friends = []
    } else {
      let friend = randomNumber(below: 50)
      known.person.friends.append(friend)
      known.friends.append(friend)
    }
    if known.label != nil { known.expectedEdits += 1 }
    check(known)
  }

  private func check(_ known: Known) {
    let person = known.person
    expect(person.age == known.age, "the age is \(person.age), not \(known.age)")
    expect(person.name == known.name, "the name is \(person.name), not \(known.name)")
    expect(person.title == "\(known.name), \(known.age)", "the title is \(person.title)")
    expect(person.friends.elements == known.friends, "friends are \(person.friends.elements)")
    guard let label = known.label else { return }
    expect(label.text == known.name, "the label shows \(label.text), not \(known.name)")
    expect(label.amount == known.age * 2, "the label shows \(label.amount) for \(known.age)")
    expect(known.seenAge == known.age, "the observer saw \(known.seenAge ?? -1) of \(known.age)")
    expect(
      known.seenEdits == known.expectedEdits,
      "the observer saw \(known.seenEdits) edits of \(known.expectedEdits)")
  }

  private func checkAll() {
    for known in people { check(known) }
    let others = (runtime?.errors ?? []).filter { $0.code != .refused && $0.code != .graph }
    expect(others.isEmpty, "\(others)")
  }

  /// Ends all bindings; what was bound is then no more than an object of this graph.
  private func beginAnew() {
    checkAll()
    context = BindingContext()
    for known in people { known.label = nil }
  }

  // MARK: Others

  /// Sends a new person, which whoever takes it may have, or one of this graph, which none may.
  private func send() {
    let isFree = randomNumber(below: 2) == 0
    if isFree {
      let age = randomNumber(below: 100)
      mail.send(Parcel(person: Person("sent", age), age: age, isFree: true), from: number)
    } else if let known = any(), known.label != nil {
      mail.send(Parcel(person: known.person, age: 0, isFree: false), from: number)
    }
  }

  private func receive() {
    guard let parcel = mail.take(number) else { return }
    let person = parcel.person
    if parcel.isFree {
      let known = Known(person, "sent", parcel.age)
      people.append(known)
      follow(known)
      return
    }
    do {
      try context.bind(person, \.name, to: Label(), \.text)
      expect(false, "a person of another graph was bound")
    } catch {
      expect((error as? TideError)?.code == .graph, "\(error)")
    }
    if let runtime {
      do {
        try runtime.register("stranger", person)
        expect(false, "a person of another graph was exposed")
        runtime.models.remove("stranger")
      } catch {
        expect(error.code == .graph, "\(error)")
      }
      expect(runtime.models["stranger"] == nil, "who was refused is exposed")
    }
  }

  /// Lets go of a person on a thread of the pool.
  private func releaseElsewhere() {
    guard !people.isEmpty else { return }
    let known = people.remove(at: randomNumber(below: people.count))
    let parcel = Parcel(person: known.person, age: 0, isFree: false)
    Task.detached { withExtendedLifetime(parcel) {} }
  }

  private func askScript() {
    guard let runtime, let known = any() else { return }
    do {
      try runtime.register("person", known.person)
      let age = randomNumber(below: 90)
      let seen = try runtime.evaluate(
        "(function() local p = models.person p.age = \(age) return p.title end)()",
        as: String.self)
      known.age = age
      expect(seen == "\(known.name), \(age)", "the script saw \(seen)")
      runtime.settle()
    } catch {
      expect(false, "\(error)")
    }
    check(known)
  }

  func finish() {
    checkAll()
    runtime?.end()
  }
}
