import Foundation
import Testing
import TideBindings
import TideGraph

/// The examples in Swift of the article on controllers, word for word, so that they compile and
/// run.
@Suite struct ArticleTests {
  private typealias Person = ListControllerTests.Person
  private let context = BindingContext()
  private let field = ListControllerTests.Label()

  @Test func `of the overview`() throws {
    let list = ObservableList([Person("Eve", 30), Person("Ada", 36)])
    let people = ListController(list)
    people.sort = try .key("name")
    #expect(people.selection["name"] == "Eve")  // selected before the list was sorted
    people.selectionIndex = 0
    #expect(people.selection["name"] == "Ada")
    try context.bind("selection.name <> text", people, field)
    #expect(field.text == "Ada")
  }

  @Test func `of editing`() throws {
    let person = Person("Ada", 36)
    let form = ObjectController(person)
    form.beginEditing()
    try form.selection.assign("name", "Eve")
    try form.selection.assign("age", -1)
    #expect(person.name == "Ada")
    #expect(throws: TideError.self) { try form.commitEditing() }
    #expect(person.name == "Ada" && form.isEditing)
    try form.selection.assign("age", 37)
    try form.commitEditing()
    #expect(person.name == "Eve" && person.age == 37)
  }

  @Test func `every line of the article stands here`() throws {
    let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let article = try String(
      contentsOf: URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources/TideBindings/TideBindings.docc/Controllers.md"), encoding: .utf8)
    let blocks = article.components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count == 2)
    func plain(_ line: Substring) -> String { line.split(separator: " ").joined(separator: " ") }
    let known = Set(tests.split(separator: "\n").map(plain))
    for block in blocks {
      let code = block.components(separatedBy: "```").first ?? ""
      for line in code.split(separator: "\n") {
        #expect(known.contains(plain(line)), "\(line)")
      }
    }
  }
}
