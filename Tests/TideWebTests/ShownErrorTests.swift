import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// What pages say of an error in a script: all of it to developers, nothing of the script to others.
@Suite struct ShownErrorTests {
  private func stage(isDeveloping: Bool) throws -> (LawStage, LawPage) {
    let stage = try LawStage(
      """
      fruit = model "fruit" { name = "apple" }
      show(view.column {
        view.button { title = "Fail", on = { touchUpInside = function()
          local missing = fruit.name.first.letter
        end } },
        view.button { title = "Many", on = { touchUpInside = function()
          for index = 1, 30 do after(index, function() error("number " .. index) end) end
        end } },
      })
      """, isDeveloping: isDeveloping)
    stage.runtime.onError = { [renderer = stage.renderer] _ in renderer.errorsChanged() }
    let page = try stage.open()
    try stage.settle()
    return (stage, page)
  }

  @Test func `a developer's page shows an error as a terminal prints it, with the script's line`()
    throws
  {
    let (stage, page) = try stage(isDeveloping: true)
    defer { stage.close() }
    page.act("press", try page.mirror.node("button", "Fail"))
    try stage.settle()
    let error = try #require(stage.runtime.errors.first)
    let text = Diagnostic(error).text()
    #expect(text.contains("app.lua:4:") && text.contains("fruit.name.first.letter"), "\(text)")
    let sent = text.quotedForJSON
    #expect(page.received.contains(sent), "\(page.received.suffix(1000))")
    // A page that comes later has it, too.
    let late = try stage.open()
    try stage.settle()
    #expect(late.received.contains(sent))
  }

  @Test func `a page shows the latest errors, and how many came before`() throws {
    let (stage, page) = try stage(isDeveloping: true)
    defer { stage.close() }
    page.act("press", try page.mirror.node("button", "Many"))
    try stage.settle()
    stage.runtime.loop.advance(by: 40)
    try stage.settle()
    let late = try stage.open()
    try stage.settle()
    #expect(late.received.contains("number 11") && !late.received.contains("number 10"))
    #expect(late.received.contains("number 30"))
    #expect(late.received.contains("10 earlier …"))
  }

  @Test func `a page of others is sent nothing of the script or of the machine`() throws {
    let (stage, page) = try stage(isDeveloping: false)
    defer { stage.close() }
    page.act("press", try page.mirror.node("button", "Fail"))
    try stage.settle()
    #expect(stage.runtime.errors.count == 1)
    #expect(page.notices == ["That failed; the log lists it as error 1."])
    let late = try stage.open()
    try stage.settle()
    for sent in [page.received, late.received] {
      #expect(!sent.contains("app.lua") && !sent.contains("letter"), "\(sent)")
    }
  }
}
