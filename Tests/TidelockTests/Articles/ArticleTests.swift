import Foundation
import Testing
import TideBindings
import TideFoundation
import Tidelock

/// The examples in Swift of this target's articles, word for word, so that they compile and run.
@Suite struct `Examples in Swift of the articles` {
  final class Person: DataObject {
    @Property var name = "Jimmy"
    @Property var age = 36
    @Property var friends = ObservableList<Person>()
    @Computed({ (p: Person) in "\(p.name), \(p.age)" }) var title: String

    convenience init(_ name: String, _ age: Int) {
      self.init()
      self.name = name
      self.age = age
    }
  }

  final class Label: DataObject {
    @Property var text = ""
  }

  final class Form: DataObject {
    @Property var text = "a"
    @Property var isSubmitted = false
  }

  final class Meter: DataObject {
    @Property var level = 0
    @Property var picture = ""
    @Property var order = 0
  }

  private let person = Person("ada", 36)
  private let label = Label(), badge = Label(), field = Label()

  /// Compiled alone, because it takes over a terminal.
  private func landingPage() async throws {
    let runtime = try Runtime(app: URL(filePath: "app.lua"))
    try runtime.register("person", Person())
    try runtime.load()
    let code = try await runtime.run(TerminalRenderer())
    print(code)
  }

  @Test func `of expressions`() throws {
    let context = BindingContext()
    context.bind(person.$name, to: label.$text)
    #expect(label.text == "ada")
    context.bind(person.$age, to: badge.$text) { "\($0) years" }
    #expect(badge.text == "36 years")
    try context.bind(person, \.name, with: field, \.text, through: .trimmed)
    field.text = "eve "
    #expect(person.name == "eve")
    try context.bind("name -> text | capitalized", person, label)
    #expect(label.text == "Eve")
    try context.bind("person.age -> badge.text", ["person": person, "badge": badge])
    #expect(badge.text == "36")
  }

  @Test func `of transformers`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.register(
      "initials",
      Transformer { (name: String) in
        String(name.split(separator: " ").compactMap(\.first))
      })
    let percent = Transformer { (share: Double) in
      share * 100
    } reverse: {
      $0 / 100
    }
    let shown = percent.then(Transformer { (number: Double) in "\(number)%" })
    #expect(try shown.transform(0.25) == "25.0%" && shown.reverse == nil)
    try runtime.register("person", Person("Ada Lovelace", 36))
    let initials = try runtime.evaluate(
      "o = object { v = '' } bind('name -> v | initials', models.person, o) return o.v",
      as: String.self)
    #expect(initials == "AL")
  }

  @Test func `of waiting`() throws {
    let runtime = try Runtime(file: "app.lua")
    @Sendable func download(_ name: String) async throws -> String { "picture of \(name)" }
    try runtime.register(
      "avatar",
      Transformer { (name: String) async throws -> String in
        try await download(name)
      })
    try runtime.register("half") { (n: Int) in n / 2 }
    try runtime.register("fetch") { (url: String) async throws -> String in try await download(url)
    }
    #expect(try runtime.evaluate("half(9)", as: Value.self) == 4)

    let meter = Meter(), desk = Meter(), log = Log()
    let context = BindingContext()
    let level = try context.sender(to: meter.$level)  // at the next turn
    let picture = try context.sender(to: meter.$picture, deliver: .frame)  // the latest, each frame
    let order = try context.sender(to: desk.$order, deliver: .wait)  // while the sender waits
    let tap = try context.sender(of: Int.self, deliver: .immediate) { log.append($0) }
    try level.send(7)
    try picture.send("fig")
    try order.send(3)
    try tap.send(1)
    runtime.settle()
    #expect(meter.level == 7 && desk.order == 3 && log.values == [1])
  }

  @Test func `of triggers`() throws {
    let runtime = try Runtime(file: "app.lua")
    let context = BindingContext()
    let form = Form(), document = Form(), center = NotificationCenter()
    let (messages, source) = AsyncStream.makeStream(of: String.self)
    var options = BindingOptions()
    options.triggers = [try .change(form, "isSubmitted"), .notification(.saved, in: center)]
    let copy = try context.bind("text -> text", form, document, options)
    try copy.add(.elements(of: messages))
    form.text = "b"
    #expect(document.text == "a")
    form.isSubmitted = true
    #expect(document.text == "b")
    form.text = "c"
    center.post(name: .saved, object: nil)
    #expect(document.text == "c")
    source.finish()

    let button = ViewClass.button.make()
    try context.on(button, .touchUpInside) { _ in person.age += 1 }
    button.send(.touchUpInside)
    #expect(person.age == 37)
    context.removeAll()
    withExtendedLifetime(runtime) {}
  }

  @Test func `of contexts`() {
    let context = BindingContext()
    context.bind(person.$name, to: label.$text)
    context.isEnabled = false  // waits, and catches up when it is true again
    person.name = "eve"
    #expect(label.text == "ada")
    context.isEnabled = true
    #expect(label.text == "eve")
    context.removeAll()  // the context stays usable
    #expect(context.count == 0)
  }

  @Test func `of lists`() throws {
    let context = BindingContext()
    let other = Person("Bo", 7), third = Person("Cy", 50)
    var seen: [String] = []
    let guests = ObservableList([person, other])
    let adults = guests.filtered { $0.age >= 18 }.ordered { $0.name }
    context.observe(adults) { change in seen.append("\(change.kind) \(change.indexes)") }
    guests.append(third)
    try guests.remove(at: 0)
    #expect(seen == ["insertion [1]", "removal [0]"])  // "ada" comes before "Cy"
    let chooser = ListController(guests)
    chooser.selectionIndex = 0
    let index = try chooser.value(of: "selectionIndex")  // 1, as scripts see it
    #expect(index == 1)
  }

  @Test func `of causes`() throws {
    let runtime = try Runtime(file: "app.lua")
    let context = BindingContext(), person = Person("Ada", 36), label = Label()
    context.bind(person.$name, to: label.$text)
    person.name = "Eve"
    for cause in try runtime.why(label, "text") { print(cause) }
    let chain = try runtime.why(person, \.name)
    if let first = chain.first { print(first.path, first.kind) }
    #expect(chain.first?.path == "Person.name" && chain.first?.old == "Ada")
    #expect(try runtime.why(label, "text").map(\.kind) == [.binding, .write])
  }

  @Test func `of observing`() throws {
    let context = BindingContext()
    var names: [String] = [], ages: [Int] = [], counts: [Value] = [], titles: [String] = []
    let seen = try context.observe(person, \.name, initial: true) { new, old in names.append(new) }
    context.observe(person.$age) { new, old in ages.append(new) }
    try context.observe(person, "friends.@count") { new, old in counts.append(new) }
    context.effect { titles.append(person.title) }
    person.name = "eve"
    person.age = 30
    person.friends.append(Person())
    seen.cancel()
    person.name = "bo"
    #expect(names == ["ada", "eve"] && ages == [30] && counts == [1])
    #expect(titles == ["ada, 36", "eve, 36", "eve, 30", "bo, 30"])
  }

  /// Those whose examples run here. Those for hosts are compiled by scripts/examples.
  private static let articles: Set = [
    "Causes", "Contexts", "Expressions", "Lists", "Observing", "Tidelock", "Transformers",
    "Triggers", "Waiting",
  ]

  @Test func `every line of the articles stands here`() throws {
    func plain(_ line: Substring) -> String { line.split(separator: " ").joined(separator: " ") }
    let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let known = Set(tests.split(separator: "\n").map(plain))
    var count = 0
    for article in try Article.all
    where article.target == "Tidelock" && Self.articles.contains(article.name) {
      for block in article.text.components(separatedBy: "```swift\n").dropFirst() {
        count += 1
        for line in (block.components(separatedBy: "```").first ?? "").split(separator: "\n") {
          let isKnown = known.contains(plain(line))
          #expect(isKnown, "\(article.name): \(line)")
        }
      }
    }
    #expect(count >= 10)
  }
}

/// Numbers that any thread may add.
private final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var numbers: [Int] = []

  func append(_ number: Int) { lock.withLock { numbers.append(number) } }
  var values: [Int] { lock.withLock { numbers } }
}

extension Notification.Name {
  fileprivate static let saved = Notification.Name("saved")
}
