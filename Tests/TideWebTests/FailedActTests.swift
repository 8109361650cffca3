import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// Whoever does something that fails is told so, and nobody else.
@Suite struct FailedActTests {
  private static let app = """
    show(view.column {
      view.button { title = "Now", on = { touchUpInside = function() error("no such thing") end } },
      view.button { title = "Later", on = { touchUpInside = function()
        sleep(1)
        error("too late")
      end } },
    })
    after(5, function() error("by itself") end)
    """

  private final class Logged {
    var messages: [String] = []
  }

  private func stage(_ logged: Logged) throws -> LawStage {
    let stage = try LawStage(Self.app)
    stage.runtime.tellsPeopleOfErrors = true
    stage.runtime.onError = { logged.messages.append($0.message) }
    for _ in 0..<2 { try stage.open() }
    try stage.settle()
    return stage
  }

  @Test func `at once and after a wait, with the number that the log has`() throws {
    let logged = Logged()
    let stage = try stage(logged)
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    bob.act("press", try bob.mirror.node("button", "Later"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Now"))
    try stage.settle()
    #expect(ann.notices.count == 1)
    #expect(bob.notices.isEmpty)
    #expect(logged.messages == ["no such thing (error 1, as viewer 1 was told)"])
    stage.runtime.loop.advance(by: 1)
    try stage.settle()
    #expect(ann.notices.count == 1)
    #expect(bob.notices.count == 1)
    #expect(logged.messages.last == "too late (error 2, as viewer 2 was told)")
  }

  @Test func `what fails by itself is in the log alone`() throws {
    let logged = Logged()
    let stage = try stage(logged)
    defer { stage.close() }
    stage.runtime.loop.advance(by: 5)
    try stage.settle()
    #expect(logged.messages == ["by itself"])
    #expect(stage.pages.allSatisfy { $0.notices.isEmpty })
  }
}
