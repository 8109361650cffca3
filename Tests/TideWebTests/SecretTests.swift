import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// What is typed in a secure field leaves the app for no page.
@Suite struct SecretTests {
  private static let app = """
    login = model "login" { password = "zebra herd" }
    field = view.field { label = "password", secure = true, bindTo = { text = "<> login.password" } }
    show(view.column { field, view.textArea { label = "key", secure = true, text = "a\\u{1F511}b" },
      view.button { title = "Ask", on = { touchUpInside = function()
        login.password = ask.text { text = "Password", secure = true, value = "hippo1" } or ""
      end } } })
    """

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("tostring(\(expression))", as: String.self)
  }

  @Test func `pages are sent bullets, and place what is typed by them`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
    let field = try ann.mirror.node("field")
    #expect(ann.text(of: field) == "••••••••••")
    ann.type("•••ibex•••••••", in: field)
    try stage.settle()
    #expect(try read(stage, "login.password") == "zebibexra herd")
    bob.type("••••••••••••••!", in: field)
    try stage.settle()
    #expect(try read(stage, "login.password") == "zebibexra herd!")
    #expect(ann.text(of: field) == "•••••••••••••••")
    _ = try stage.runtime.evaluate("login.password = 'giraffe'", as: Value.self)
    let late = try stage.open(as: "eve")
    try stage.settle()
    for page in [ann, bob, late] {
      for secret in ["zeb", "ibex", "giraffe", "\u{1F511}"] {
        #expect(!page.received.contains(secret), "\(secret)")
      }
    }
  }

  @Test func `a letter of two UTF-16 units has a bullet of two`() throws {
    #expect(PageTree.bullets(for: "a\u{1F511}é").utf16.count == 4)
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let area = try page.mirror.node("textArea")
    let shown = page.text(of: area)
    #expect(shown.unicodeScalars.count == 3 && shown.utf16.count == 4)
    // It is deleted as a whole.
    page.type(String(shown.prefix(1) + shown.suffix(1)), in: area)
    try stage.settle()
    #expect(page.text(of: area) == "••" && page.notices.isEmpty)
  }

  @Test func `an answer that is a secret comes to the script, and not to its page`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    page.act("press", try page.mirror.node("button", "Ask"))
    try stage.settle()
    let field = try #require(
      page.mirror.openedModals.last.flatMap { dialog in
        page.mirror.ids.last { id in
          page.mirror[id]?.className == "field"
            && page.mirror.path(to: id).contains { $0.id == dialog }
        }
      })
    page.type("••••••!", in: field)
    try stage.settle()
    page.act("press", try page.mirror.node("button", "OK"))
    try stage.settle()
    #expect(try read(stage, "login.password") == "hippo1!")
    #expect(!page.received.contains("hippo1"))
  }

  @Test func `a text is sent when its field shows it`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let field = try page.mirror.node("field")
    _ = try stage.runtime.evaluate("field.secure = false", as: Value.self)
    try stage.settle()
    #expect(page.text(of: field) == "zebra herd")
    _ = try stage.runtime.evaluate("field.secure = true", as: Value.self)
    try stage.settle()
    #expect(page.text(of: field) == "••••••••••")
  }
}
