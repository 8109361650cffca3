import Testing
import TideBindings
import TideScript

@testable import TideViews
@testable import TideWeb

// A question whose person is away.
extension QuestionTests {
  @Test func `a question waits for its person, whoever comes meanwhile`() throws {
    let stage = try LawStage(Self.privateApp)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Note"))
    try stage.settle()
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    let late = try stage.open(as: "eve")
    try stage.lose(bob, deliveredBefore: 0, isNoticed: true)
    try stage.connect(bob)
    for page in [bob, late] {
      try page.receive()
      #expect(page.mirror.openedModals.isEmpty && !page.received.contains("4711"))
    }
    // A page that they have loaded again is theirs.
    let again = try stage.open(as: "ann")
    try again.receive()
    #expect(again.mirror.openedModals.count == 1)
    again.type("mine", in: try again.mirror.node("field"))
    again.act("press", try again.mirror.node("button", "OK"))
    try again.line?.deliver()
    try stage.turn()
    #expect(try read(stage, "desk.answer") == "mine")
  }

  @Test func `a question is dismissed when its person has been away for long`() throws {
    let stage = try LawStage(Self.privateApp)
    defer { stage.close() }
    stage.renderer.idle = 60
    let (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Note"))
    try stage.settle()
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    stage.runtime.loop.advance(by: 59)
    try stage.turn()
    #expect(try read(stage, "desk.answer") == "")
    stage.runtime.loop.advance(by: 2)
    try stage.turn()
    #expect(try read(stage, "desk.answer") == "none")
    try bob.receive()
    #expect(!bob.received.contains("4711"))
  }

  @Test func `a dialog of the tree is closed when its person has been away for long`() throws {
    let stage = try LawStage(Self.privateApp)
    defer { stage.close() }
    stage.renderer.idle = 60
    let (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Sick"))
    try stage.settle()
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    stage.runtime.loop.advance(by: 61)
    try stage.turn()
    #expect(try read(stage, "desk.opens") == "false")
    bob.act("press", try bob.mirror.node("button", "Sick"))
    try bob.line?.deliver()
    try stage.turn()
    try bob.receive()
    #expect(bob.mirror.openedModals.count == 1)
  }

  @Test func `whoever knows the name of another person's page comes as a page of their own`() throws
  {
    let stage = try LawStage(Self.privateApp)
    defer { stage.close() }
    let ann = try stage.open(as: "ann")
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Note"))
    try stage.settle()
    for isThere in [true, false] {
      if !isThere { try stage.lose(ann, deliveredBefore: 0, isNoticed: true) }
      let eve = LawPage("eve", session: ann.session)
      try stage.connect(eve)
      try eve.receive()
      #expect(eve.session != ann.session)
      #expect(eve.mirror.openedModals.isEmpty && !eve.received.contains("4711"))
      #expect(isThere == (ann.line?.isOpen == true))
    }
    try stage.connect(ann)
    try ann.receive()
    #expect(ann.mirror.openedModals.count == 1)
  }
}
