import Dispatch
import Synchronization
import TideBindings
import TideGraph
import Testing

@Suite struct `Data objects` {
  final class Person: DataObject {
    @Property var name = "Jimmy"
    @Property(validate: { $0 >= 0 ? .accept : .refuse("age must not be negative") }) var age = 12
    @Property var nickname: String?
    @Property var friends = ObservableList<Person>()
    @Computed({ (p: Person) in "\(p.name), \(p.age)" }) var title: String
    let address = Address()
  }

  final class Address: DataObject {
    @Property var city = "Paris"
  }

  final class Label: DataObject {
    @Property var text = ""
    @Property var count = 0
  }

  enum Mood: String, CaseIterable, TideConvertible { case calm, merry }
  enum Level: Int, TideConvertible { case low = 1, high = 2 }

  final class Feeling: DataObject {
    @Property var mood = Mood.calm
    @Property var maybe: Mood?
    @Property var level = Level.low
    @Property var home = Address()
    @Property var other: Address?
    @Property var warmth: Float = 1
  }

  class Base: DataObject {
    @Property var id = 1
  }

  final class Derived: Base {
    @Property var extra = "e"

    init(_ extra: String) {
      super.init()
      self.extra = extra
    }
  }

  final class Link: DataObject {
    @Property var previous: Link?
    @Computed({ (link: Link) in (link.previous?.length ?? 0) + 1 }) var length: Int
  }

  @Test(arguments: [false, true])
  func `a chain of computed values is too deep for the stack with an error`(isJoined: Bool) throws {
    var links = [Link()]
    for index in 1..<100_000 {
      let link = Link()
      link.previous = links[index - 1]
      links.append(link)
    }
    let graph = Graph.current
    if isJoined { for link in links { link.join(graph) } }
    let errors = Mutex<[TideError]>([])
    graph.onError = { error in errors.withLock { $0.append(error) } }
    defer { graph.onError = nil }
    #expect(links[49].length == 50)
    #expect(errors.withLock { $0.isEmpty })
    // Nothing is made of the part that could be evaluated.
    #expect(links[99_999].length == 0)
    #expect(errors.withLock { $0.map(\.code) } == [.depth])
    // What was evaluated on the way may shorten the next try, which then is right or fails as well.
    if let length = try? links[99_998].value(of: "length") { #expect(length == 99_999) }
  }

  @Test func `a declared class knows its properties by name`() throws {
    let person = Person()
    #expect(person.shape.properties.map(\.name) == ["name", "age", "nickname", "friends", "title"])
    #expect(try person.value(of: "name") == "Jimmy")
    try person.set("name", "Jack")
    #expect(person.name == "Jack")
    #expect(person.title == "Jack, 12")
    #expect(Derived("x").shape.properties.map(\.name) == ["id", "extra"])
    #expect(Derived("x").extra == "x")
  }

  @Test func `a wrong type and a wrong name are errors that name what there is`() {
    let person = Person()
    let name = #expect(throws: TideError.self) { try person.set("nmae", "x") }
    #expect(name?.message.contains("did you mean \"name\"") == true)
    let type = #expect(throws: TideError.self) { try person.set("name", 3) }
    #expect(type?.code == .wrongType)
    #expect(person.name == "Jimmy")
    #expect(throws: TideError.self) { try person.set("title", "x") }
  }

  @Test func `a value that the Swift type does not allow is refused when it is written`() throws {
    let feeling = Feeling()
    let others: [Value] = [
      .null, "angry", "", 0, 3, .integer(.min), .integer(.max), .number(.nan), .number(.infinity),
      true, .bytes([0xff]), .object(Person()), .object(ValueList()),
    ]
    let names = ["mood", "maybe", "level", "home", "other", "warmth"]
    for name in names { for value in others { try? feeling.set(name, value) } }
    try feeling.set("warmth", 2.5)
    for value: Value in [.number(1e300), .number(-1e300), "warm", .null] {
      #expect(throws: TideError.self) { try feeling.set("warmth", value) }
    }
    #expect(feeling.warmth == 2.5)
    let bad = try #require(throws: TideError.self) { try feeling.set("mood", "angry") }
    #expect(bad.code == .wrongType)
    #expect(bad.message.contains("one of calm, merry"))
    #expect(feeling.mood == .calm && feeling.maybe == nil && feeling.level == .low)
    #expect(feeling.home.city == "Paris" && feeling.other == nil)
    try feeling.set("mood", "merry")
    try feeling.set("maybe", "merry")
    try feeling.set("level", 2)
    #expect(feeling.mood == .merry && feeling.maybe == .merry && feeling.level == .high)
    try feeling.set("maybe", .null)
    feeling.mood = .calm
    #expect(feeling.mood == .calm && feeling.maybe == nil)
    let source = DictionaryObject(["x": "angry"])
    _ = try? BindingContext("test").bind("x -> mood", source, feeling)
    #expect(feeling.mood == .calm)
  }

  @Test func `a refused value leaves the property as it was`() {
    let person = Person()
    person.age = -3
    #expect(person.age == 12)
    let refused = #expect(throws: TideError.self) { try person.set("age", -1) }
    #expect(refused?.message == "age must not be negative")
    person.age = 13
    #expect(person.age == 13)
  }

  @Test func `properties bind by reference, key path and expression`() throws {
    let person = Person(), label = Label()
    let context = BindingContext()
    context.bind(person.$age, to: label.$text) { "\($0) years" }
    try context.bind(person, \.age, to: label, \.count)
    #expect(label.text == "12 years")
    person.age = 30
    #expect(label.text == "30 years")
    #expect(label.count == 30)
    context.removeAll()
    try context.bind("title -> text", person, label)
    person.name = "Ann"
    #expect(label.text == "Ann, 30")
    let error = #expect(throws: TideError.self) {
      try context.bind(person, \.address.city.count, to: label, \.shape.properties.count)
    }
    #expect(error?.code == .notOneProperty)
    try context.bind(person, \.address.city, to: label, \.text)
    person.address.city = "Rome"
    #expect(label.text == "Rome")
  }

  @Test func `two-way bindings follow either end`() throws {
    let person = Person(), label = Label()
    let context = BindingContext()
    try context.bind(person, \.name, with: label, \.text)
    label.text = "Zoe"
    #expect(person.name == "Zoe")
    person.name = "Yan"
    #expect(label.text == "Yan")
  }

  @Test func `a context waits while disabled, and clears itself when it is gone`() {
    let person = Person(), label = Label()
    var context: BindingContext? = BindingContext()
    context?.bind(person.$name, to: label.$text)
    context?.isEnabled = false
    person.name = "A"
    person.name = "B"
    #expect(label.text == "Jimmy")
    context?.isEnabled = true
    #expect(label.text == "B")
    context = nil
    person.name = "C"
    #expect(label.text == "B")
  }

  @Test func `a binding ends when one of its ends is gone`() {
    let person = Person()
    var label: Label? = Label()
    let context = BindingContext()
    let binding = label.map { context.bind(person.$name, to: $0.$text) }
    #expect(binding?.isAlive == true)
    label = nil
    #expect(binding?.isAlive == false)
    person.name = "B"
    #expect(context.errors.isEmpty)
    #expect(context.count == 0)
    #expect(person.graph.brokenInvariants() == [])
  }

  @Test func `an effect runs once for several writes in a batch`() {
    let person = Person()
    let context = BindingContext()
    var seen: [String] = []
    context.effect { seen.append(person.title) }
    person.graph.batch {
      person.name = "A"
      person.age = 1
    }
    #expect(seen == ["Jimmy, 12", "A, 1"])
  }

  @Test func `an object may be released on another thread`() {
    let graph = Graph.current
    let before = graph.counts.blocks
    for _ in 0..<100 {
      releaseElsewhere((0..<20).map { _ in Label() })
    }
    graph.reclaimRemoteBlocks()
    #expect(graph.counts.blocks == before)
  }

  @Test func `memory is measured while objects go on another thread`() {
    let graph = Graph.current
    for _ in 0..<50 {
      nonisolated(unsafe) var doomed: [Label]? = (0..<2000).map { _ in Label() }
      let isGone = DispatchSemaphore(value: 0)
      DispatchQueue(label: "elsewhere").async {
        doomed = nil
        isGone.signal()
      }
      func countLabels() -> Int {
        var seen = 0
        var meter = MemoryMeter()
        graph.addHeld(to: &meter) { block, meter in
          if block is Label { seen += 1 }
          meter.add(Graph.allocatedBytes(of: block))
          return true
        }
        return seen
      }
      var seen = 2000
      repeat {
        let next = countLabels()
        #expect(next <= seen, "what is gone is not seen again")
        seen = next
      } while isGone.wait(timeout: .now()) == .timedOut
      #expect(countLabels() == 0 && doomed == nil)
      graph.reclaimRemoteBlocks()
    }
  }
}

/// Drops the last reference to something on another thread.
func releaseElsewhere<Object>(_ object: consuming Object) {
  nonisolated(unsafe) var doomed: Object? = consume object
  let isGone = DispatchSemaphore(value: 0)
  // A queue's `sync` would run it on this thread.
  DispatchQueue.global().async {
    doomed = nil
    isGone.signal()
  }
  isGone.wait()
  #expect(doomed == nil)
}
