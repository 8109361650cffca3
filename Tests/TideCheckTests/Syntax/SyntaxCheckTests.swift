import TideBindings
import TideScript
import Testing

@testable import TideCheck

@Suite struct `Having the interpreter look at the syntax` {
  @Test func `a text that takes the interpreter too long is told, and the next one is checked`()
    throws
  {
    let check = try ScriptCheck(syntax: SyntaxCheck(timeLimit: .milliseconds(50)))
    let endless = "if a then" + String(repeating: " elseif a then", count: 500_000) + " end"
    let found = check.check(endless, path: "app.lua")
    #expect(found.map(\.error.code) == [.scriptTime])
    #expect(found.first?.error.message.contains("too long") == true)
    #expect(check.check("print(1)", path: "app.lua").isEmpty)
  }
}
