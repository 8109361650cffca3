import Testing
import TideBindings
import TideScript

@testable import TideCheck

@Suite struct `The tree of a script that is checked` {
  private func tree(_ text: String) throws -> [LuaStatement] {
    var parser = try LuaParser(Array(text.utf8))
    return try parser.script()
  }

  /// The variables that a script uses, in its order, each with the offset of its declaration unless
  /// it is global.
  private func uses(_ text: String) throws -> [String] {
    var found: [String] = []
    SyntaxWalker(visit: { expression, _ in
      if case .name(let name, let local) = expression.kind {
        found.append(local.map { "\(name)@\($0.start)" } ?? name)
      }
    }).walk(try tree(text))
    return found
  }

  @Test(arguments: [
    ("local a = a print(a)", ["a", "print", "a@6"]),
    ("local a = 1 do local a = 2 f(a) end f(a)", ["f", "a@21", "f", "a@6"]),
    ("local function f() f() end", ["f@15"]), ("local f = function() f() end", ["f"]),
    ("for i = i, 2 do f(i) end f(i)", ["i", "f", "i@4", "f", "i"]),
    ("for k, v in v do f(k, v) end", ["v", "f", "k@4", "v@7"]),
    ("repeat local x = 1 until x f(x)", ["x@13", "f", "x"]),
    ("while x do local x = 1 f(x) end f(x)", ["x", "f", "x@17", "f", "x"]),
    ("local function f(a, ...) return a, ... end return a", ["a@17", "a"]),
    ("function t.a:b(c) return self, c end return self", ["t", "self@9", "c@15", "self"]),
    ("local a <const>, b <close> = 1, nil f(a, b)", ["f", "a@6", "b@17"]),
    ("goto done do local x f(x) end ::done:: f(x)", ["f", "x@19", "f", "x"]),
    (
      "if a then local b f(b) elseif b then f(b) else f(b) end",
      ["a", "f", "b@16", "b", "f", "b", "f", "b"]
    ),
    ("t[k], u.v = k, v", ["t", "k", "u", "k", "v"]),
    ("return { a = b, [c] = d, e; f }", ["b", "c", "d", "e", "f"]),
    ("f 'x' { y } [[z]]", ["f", "y"]), ("(a or b):c(d)", ["a", "b", "d"]),
    ("x = -not #y ^ z", ["y", "z"]),
  ])
  func `a name means the variable that is visible there`(text: String, names: [String])
    throws
  {
    #expect(try uses(text) == names)
  }

  @Test func `a variable knows whether it is assigned to and read`() throws {
    let text = "local a, b, c = 1, 2, 3 a = b c.d = 1"
    guard case .local(let locals, _)? = try tree(text).first else { throw Unexpected() }
    #expect(locals.map(\.isReassigned) == [true, false, false])
    #expect(locals.map(\.isRead) == [false, true, true])
  }

  @Test func `the depth of a function includes everything inside it`() throws {
    func depth(_ body: String) throws -> Int {
      guard case .results(let values)? = try tree("return function() \(body) end").first,
        let value = values.first
      else { throw Unexpected() }
      return value.depth
    }
    let shallow = try depth("f()")
    #expect(try depth("f() f() f()") == shallow)
    #expect(try depth("a.b.c.d.f()") == shallow + 4)
    #expect(try depth("do do f() end end") == shallow + 2)
    #expect(try depth("while x do f() end") == shallow + 1)
    #expect(try depth("repeat until a.b.c.d()") > shallow)
    #expect(try depth("local t = { [a.b.c.d.e.f] = 1 }") > shallow)
    #expect(try depth("local function g() a.b.c.d.f() end") > shallow + 4)
  }

  @Test(arguments: [
    ("x = = 1", 4), ("f(", 2), ("return 1 2", 9), ("local 1", 6), ("a.b", 3), ("a + 1 = 2", 2),
    ("goto 1", 5), ("f() = 1", 4), ("end", 0), ("for i do end", 6), ("local x <const = 1", 15),
  ])
  func `what the interpreter refuses is refused at its offset`(text: String, offset: Int) {
    #expect {
      try tree(text)
    } throws: { error in
      if case .unexpected(offset)? = error as? LuaParser.Failure { true } else { false }
    }
  }

  private struct Unexpected: Error {}
}

@Suite struct `Letting the interpreter check the syntax` {
  @Test func `a text that takes the interpreter too long is reported, and the next one checked`()
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
