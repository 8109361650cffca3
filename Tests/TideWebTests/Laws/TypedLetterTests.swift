import Fuzzing
import Glibc
import Testing
import TideScript

@testable import TideWeb

/// Each letter that somebody types in a page is in the record that was on that person's screen, or
/// that person is told; it is nowhere else, and nowhere twice.
@Suite struct TypedLetterTests {
  @Test func `every case found earlier loses no letter`() {
    let cases = FuzzRun.found(by: "letters")
    #expect(!cases.isEmpty)
    for (file, input) in cases {
      let fault = TypedPlay.play(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `random people lose no letter, whatever others, the program and the line do`() {
    // The suite plays the same cases each time; a search plays others.
    let isSearch = getenv("TIDELOCK_FUZZ_SECONDS") != nil
    var random = SeededGenerator(seed: FuzzRun.seed(of: "letters", otherwise: isSearch ? nil : 1))
    var run = FuzzRun("letters", stepsInSuite: 60)
    // The first byte says how many people there are, and what app they have.
    let found = run.firstFault(sizes: 30...400, takesTurns: true, using: &random, TypedPlay.play)
    if let found { Issue.record("\(found.text)") }
  }

  @Test(arguments: TypedApp.Kind.allCases)
  func `what is typed while somebody else selects another row stays in its record`(
    kind: TypedApp.Kind
  ) throws {
    var app = TypedApp(kind: kind)
    app.isContinuous = false
    for isContinuous in [true, false] {
      app.isContinuous = isContinuous
      let play = try TypedPlay(app, people: 2)
      let (ann, bob) = (play.stage.pages[0], play.stage.pages[1])
      try play.select(row: 0, in: ann)
      try play.stage.settle()
      let field = try ann.mirror.node("field", "name")
      let first = try #require(play.recordOnScreen(of: ann, at: field))
      try play.type(in: field, of: ann)
      try play.stage.settle()
      // Bob selects another row while Ann's next letters are under way, and she types on.
      try play.type(in: field, of: ann)
      try play.select(row: 2, in: bob)
      try bob.line?.deliver()
      try play.stage.turn()
      try play.type(in: field, of: ann)
      try ann.receive()
      try play.type(in: field, of: ann)
      let fault = try play.faultAtEnd()
      #expect(fault == nil, "\(fault ?? "")")
      let name = try play.name(of: first)
      #expect(play.letters.allSatisfy { name.contains($0.letter) })
      play.stage.close()
    }
  }

  @Test func `what is typed for a row that is removed is told to who typed it, and to nobody else`()
    throws
  {
    let play = try TypedPlay(TypedApp(kind: .controller), people: 2)
    defer { play.stage.close() }
    let (ann, bob) = (play.stage.pages[0], play.stage.pages[1])
    let field = try ann.mirror.node("field", "name")
    try play.select(row: 0, in: ann)
    try play.stage.settle()
    try play.type(in: field, of: ann)
    try play.stage.settle()
    let first = try #require(play.recordOnScreen(of: ann, at: field))
    try play.run("desk.rows:removeObject(desk.all[\(first)])")
    try play.type(in: field, of: ann)
    try play.type(in: field, of: ann)
    try play.stage.settle()
    try #expect(play.faultAtEnd() ?? "" == "")
    for letter in play.letters.dropFirst() {
      #expect(ann.notices.last?.contains(letter.letter) == true)
      #expect(!bob.notices.joined().contains(letter.letter))
    }
  }

  @Test func `a row that is clicked is selected though rows have come above it`() throws {
    let play = try TypedPlay(TypedApp(kind: .controller), people: 1)
    defer { play.stage.close() }
    let page = play.stage.pages[0]
    let list = try page.mirror.node("list")
    let cell = try #require(page.mirror.row(2, of: list))
    let wanted = try play.stage.runtime.evaluate("c.arrangedObjects[3].id", as: Int.self)
    try play.run("for _ = 1, 3 do desk.rows:insert(1, make()) end")
    page.act("select", list, ",2,\"\",\(cell)")
    try play.stage.settle()
    #expect(try play.stage.runtime.evaluate("c.selectedObject.id", as: Int.self) == wanted)
    // A row that is gone takes no other one along.
    let gone = try #require(page.mirror.row(0, of: list))
    try play.run("desk.rows:removeObject(c.arrangedObjects[1])")
    page.act("select", list, ",0,\"\",\(gone)")
    try play.stage.settle()
    #expect(try play.stage.runtime.evaluate("c.selectedObject.id", as: Int.self) == wanted)
    #expect(page.notices.contains(PageNotice.other.rawValue))
  }

  @Test func `a key in a text of 100 KB costs little each way`() throws {
    let stage = try LawStage(
      "desk = model 'desk' { text = ('x'):rep(100000) }"
        + " show(view.textArea { label = 'text', bindTo = { text = '<> desk.text' } })")
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let area = try ann.mirror.node("textArea")
    ann.type(ann.text(of: area) + "y", in: area)
    let sent = ann.line?.waiting.leaving ?? []
    #expect(sent.map(\.count).reduce(0, +) < 200)
    try ann.line?.deliver()
    try stage.turn()
    for page in [ann, bob] {
      let came = page.line?.waiting.arriving ?? []
      #expect(came.map(\.utf8.count).reduce(0, +) < 200)
    }
    try stage.settle()
    #expect(bob.text(of: area).hasSuffix("xy"))
  }
}
