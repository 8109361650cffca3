import Testing
import TideScript

@testable import TideReload

/// What a binding with `restore` has replaced.
@Suite struct `A value that is to be put back` {
  private static let text = """
    local m = model "m" { source = 1, target = 0, other = 0 }
    bind("m.source -> m.target", { restore = true })
    context("inner", function() bind("m.source -> m.other", { restore = true }) end)
    """

  @Test func `is left alone by a reload, and put back later`() throws {
    let app = try ReloadedApp(["app.lua": Self.text])
    #expect(try app.value("models.m.target") == "1")
    app.save(["app.lua": Self.text + " -- saved"])
    #expect(try app.value("models.m.target") == "1")
    try app.run("for _, b in ipairs(bindings()) do b.enabled = false end")
    #expect(try app.value("models.m.target") == "0")
  }

  @Test func `is left alone by a version that is no good`() throws {
    let app = try ReloadedApp(["app.lua": Self.text])
    app.save(["app.lua": Self.text + " error 'no'"])
    #expect(try app.value("models.m.target") == "1")
    try app.run("for _, b in ipairs(bindings()) do b:unbind() end")
    #expect(try app.value("models.m.target") == "0")
  }

  @Test func `is left alone by a version without the binding`() throws {
    let app = try ReloadedApp(["app.lua": Self.text])
    app.save(["app.lua": "model 'm' { source = 1, target = 0, other = 0 }"])
    #expect(try app.value("models.m.target") == "1")
  }

  @Test func `outlives a reload with the condition of its binding`() throws {
    let text = """
      local m = model "m" { source = 1, target = 0, on = true }
      bind("m.source -> m.target", { restore = true, when = function() return m.on end })
      """
    let app = try ReloadedApp(["app.lua": text])
    #expect(try app.value("models.m.target") == "1")
    app.save(["app.lua": text + " -- saved"])
    try app.run("models.m.on = false")
    #expect(try app.value("models.m.target") == "0")
  }
}
