import Testing

@testable import TideTest

@Suite struct `Why an assertion failed` {
  private static let app = """
    local top = model 'top' { items = { { n = 1 }, { n = 2 } }, count = 5 }
    local page, label
    before_each(function()
      page = object { name = 'x', isReady = false }
      label = view.label { id = 'title' }
      bind('name -> text | uppercase', page, label)
      page.name = 'y'
    end)

    """

  private func text(
    of assertion: String, _ configure: (inout TestOptions) -> Void = { _ in }
  ) throws -> String {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", Self.app + "it('fails', function()\n\(assertion)\nend)")
    let result = try folder.run("plainTerminal", configure)
    #expect(!result.isGood)
    return result.text
  }

  @Test(arguments: [
    "assert.equal('Z', label.text)",
    "assert.are.same(\n  { 'Z' },\n  { label.text })",
    "if label.text then assert.is_nil(label.text) end",
    "assert.is_true(label.text == 'Z' -- page.isReady\n)",
    "ui.mount(label) assert.equal('Z', views.title.text)",
    "assert.eventually(function() return label.text == 'Z' end)",
    "assert.property(label, 'text').is('Z')",
  ])
  func `is told where it reads a property`(assertion: String) throws {
    let text = try text(of: assertion)
    #expect(text.matches(of: /Why it is so:\n/).count == 1, "\(text)")
    #expect(text.contains(#"title.text: "X" before, now "Y" by a binding"#), "\(text)")
    #expect(text.contains(#"object.name: "x" before, now "y" by a write"#), "\(text)")
    #expect(!text.contains("object.isReady"))
  }

  @Test func `is told in the sandbox too`() throws {
    let text = try text(of: "assert.equal('Z', label.text)") { $0.isSandboxed = true }
    #expect(text.contains("title.text: \"X\" before"), "\(text)")
  }

  @Test(arguments: [
    ("assert.equal(3, top.items[2].n)", "object.n: now 2 since it was made"),
    ("assert.equal(3, models.top.count)", "top.count: now 5 since it was made"),
    ("assert.is_true(page.isReady)", "object.isReady: now false since it was made"),
  ])
  func `follows lists, models and tables`(assertion: String, reason: String) throws {
    let text = try text(of: assertion)
    #expect(text.contains(reason), "\(text)")
  }

  @Test(arguments: [
    "local t = { a = { b = 1 } } assert.equal(3, t.a.b)",
    "assert.equal('label.text', 'page.name')",
    "assert.equal([[ label.text ]], nil)",
    "assert.equal(1, nothing and nothing.at.all)",
    "assert.equal(1, 2) -- label.text",
    "assert.same({}, label:events())",
    "error('page.name')",
  ])
  func `is left out where no property is read`(assertion: String) throws {
    let text = try text(of: assertion)
    #expect(!text.contains("Why it is so"), "\(text)")
  }
}
