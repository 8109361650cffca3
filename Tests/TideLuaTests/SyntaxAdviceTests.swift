import Testing

@testable import TideLua

/// What a syntax error says was probably meant.
@Suite struct `Advice for a syntax error` {
  private func error(_ text: String, name: String = "@app.lua") throws -> LuaError {
    let state = try LuaState()
    return try #require(throws: LuaError.self) { _ = try state.load(text, name: name) }
  }

  @Test(arguments: [
    ("retrun view", "retrun", "return"), ("f()\nretrun view", "retrun", "return"),
    ("fucntion f() end", "fucntion", "function"), ("x = 1 loacl y = 2", "loacl", "local"),
    ("if a then b() esle c() end", "esle", "else"), ("if a thne b() end", "thne", "then"),
    ("if a then return 1 esle return 2 end", "esle", "else"),
    ("if a then return 1 elsif b then return 2 end", "elsif", "elseif"),
    ("if a then b() elif c then d() end", "elif", "elseif"),
    ("for i = 1, 3 od print(i) end", "od", "do"), ("for k ni pairs(t) do end", "ni", "in"),
    ("for i = 1, 3 do if a then braek end end", "braek", "break"),
    ("whlie x do end", "whlie", "while"), ("repaet x() until y", "repaet", "repeat"),
    ("repeat return 1 untli y", "untli", "until"), ("if a adn b then end", "adn", "and"),
    ("if nto a then end", "nto", "not"), ("function f() return 1 edn", "edn", "end"),
    ("function f() x = 1 edn", "edn", "end"), ("var x = 1", "var", "local"),
    ("def f() end", "def", "function"), ("local fucntion f() return 1 end", "fucntion", "function"),
    ("f(fucntion() x = 1 end)", "fucntion", "function"), ("Return view", "Return", "return"),
    ("x = 1 ennd", "ennd", "end"), ("retturn x", "retturn", "return"),
    ("x = a adn b", "adn", "and"),
    ("loacl a\nlocal b", "loacl a", "local"),
    ("-- retrun\nlocal s = 'retrun' retrun 1", "retrun 1", "return"),
  ])
  func `names the keyword that is misspelt, and is at it`(
    text: String, wrong: String, meant: String
  )
    throws
  {
    let found = try error(text)
    #expect(found.message.hasSuffix("; did you mean \"\(meant)\"?"), "\(found.message)")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(found.location?.line)
    let start = try #require(lines[line - 1].ranges(of: wrong).last?.lowerBound)
    let column = lines[line - 1].distance(from: lines[line - 1].startIndex, to: start) + 1
    #expect(found.location?.column == column, "\(found)")
  }

  @Test(arguments: [
    ("if a != b then end", "write ~= in place of !="),
    ("if !a then end", "write not in place of !"),
    ("if a && b then end", "write and in place of &&"),
    ("if a || b then end", "write or in place of ||"),
    ("x += 1", "Lua has no +="), ("x++", "Lua has no ++"), ("s ..= 'x'", "Lua has no ..="),
    ("x = a ? b : c", "write a and b or c"), ("x = 1 // two three", ""),
    ("// one two", "a comment begins with --"), ("/* one */", "a comment begins with --"),
    ("if a = 1 then end", "write == to compare"), ("while a = 1 do end", "write == to compare"),
    ("t = { a = 1 b = 2 }", "is a comma missing before it?"),
    ("t = { 'a' 'b' }", "is a comma missing before it?"),
    ("f(a b)", "is a comma or a parenthesis missing before it?"),
    ("t = { a: 1 }", "a table's key is followed by =, not by :"),
    ("t:clear", "write () after a method's name"),
    ("local end = 1", "\"end\" is a keyword and cannot be a name"),
    ("function f() { return 1 }", "a function's body has no braces"),
  ])
  func `explains operators of other languages and missing punctuation`(text: String, says: String)
    throws
  {
    let message = try error(text).message
    #expect(says.isEmpty ? !message.contains(";") : message.contains("; \(says)"), "\(message)")
  }

  @Test(arguments: [
    "x = = 1", "t.retrun view", "local a b", "x = note y", "end", "return 1 print(2)",
    "f(", "x = 'abc", "x = [[abc", "goto", "print(1))", "names view", "\0", "x y",
    "send x", "form x", "note y", "nil2 y", "f() tru y", "f() ten x", "f() fales x",
    "local whale = f\nwhale 'x'\nwhale x",
  ])
  func `is not given where another word may be meant`(text: String) throws {
    let message = try error(text).message
    #expect(!message.contains("did you mean"), "\(message)")
  }

  @Test func `leaves a chunk of the prompt unfinished`() throws {
    let found = try error("function f() x = 1 edn", name: "=prompt")
    #expect(found.message.hasSuffix("near <eof>"))
  }

  @Test func `is found in a part of a longer text`() throws {
    let state = try LuaState()
    let found = try #require(throws: LuaError.self) {
      _ = try state.load("x = 1\nretrun x", name: "@app.lua", firstLine: 40)
    }
    #expect(found.location == LuaLocation(chunk: "app.lua", line: 41, column: 1))
    #expect(found.message.hasSuffix("did you mean \"return\"?"))
  }
}
