import Testing
import TideLua

@Suite(.serialized) struct `Functions` {
  @Test func `a script calls Swift with any arguments and gets several results`() throws {
    let state = try LuaState()
    try state.register("sum") { call in
      var total = 0.0
      for index in 0..<call.count { total += try call.number(index) }
      call.return(total)
      call.return(call.count)
      call.return("done")
    }
    #expect(try state.run("return sum(1, 2.5, 3)", name: "=t") == [6.5, 3, "done"])
    #expect(try state.run("return sum()", name: "=t") == [0.0, 0, "done"])
    let many = try state.run("return select('#', sum(table.unpack({1, 2}, 1, 2)))", name: "=t")
    #expect(many == [3])
  }

  @Test func `hundreds of results and long texts come through`() throws {
    let state = try LuaState()
    try state.register("many") { call in
      for index in 0..<500 { call.return("item \(index) " + String(repeating: "x", count: index)) }
    }
    let results = try state.run("return many()", name: "=t")
    #expect(results.count == 500)
    #expect(results[400].string?.count == 409)
  }

  @Test func `results may be references next to other values`() throws {
    let state = try LuaState()
    try state.register("pair") { call in
      call.return(.table(try call.state.table([7])))
      call.return("mid")
      call.return(.function(try call.state.function(named: "inner") { $0.return(8) }))
      call.returnArgument(0)
    }
    #expect(
      try state.run("local t, m, f, a = pair('x') return t[1], m, f(), a", name: "=t") == [
        7, "mid", 8, "x",
      ])
  }

  @Test func `wrong arguments are refused in Lua's words`() throws {
    let state = try LuaState()
    try state.register("half") { call in call.return(try call.integer(0) / 2) }
    let results = try state.run(
      """
      return select(2, pcall(function() half() end)), select(2, pcall(function() half({}) end)),
        select(2, pcall(function() half(1.5) end)), half("8")
      """, name: "@half.lua")
    #expect(
      try state.describe(results[0])
        == "half.lua:1: bad argument #1 to 'half' (number expected, got no value)")
    #expect(
      try state.describe(results[1])
        == "half.lua:1: bad argument #1 to 'half' (number expected, got table)")
    #expect(try state.describe(results[2]).hasSuffix("(number has no integer representation)"))
    #expect(results[3] == 4)
  }

  @Test func `a function knows the line that called it`() throws {
    let state = try LuaState()
    var locations: [String] = []
    try state.register("here") { call in locations.append("\(call.location?.description ?? "?")") }
    try state.run("here()\n\nhere()\npcall(here)", name: "@dir/app.lua")
    #expect(locations == ["dir/app.lua:1", "dir/app.lua:3", "dir/app.lua:4"])
  }

  @Test func `calls nest between Swift and Lua`() throws {
    let state = try LuaState()
    let down = try state.function(named: "down") { call in
      let depth = try call.integer(0)
      if depth == 0 { return call.return("bottom") }
      call.return(try call.function(1)(.integer(depth - 1), .function(try call.function(1))))
    }
    #expect(try down(30, .function(down)) == "bottom")
    let deep = #expect(throws: LuaError.self) { try down(1000, .function(down)) }
    #expect(deep?.kind == .depth)
    #expect(try down(30, .function(down)) == "bottom")
  }

  @Test func `fast calls give numbers and strings`() throws {
    let state = try LuaState()
    let double = try #require(
      try state.run("return function(x) return x * 2 end", name: "=d")[0].function)
    #expect(try double(number: 21) == 42)
    let shout = try #require(
      try state.run("return function(s) return s:upper() end", name: "=s")[0].function)
    #expect(try shout(string: "pear") == "PEAR")
    let table = try #require(
      try state.run("return function(s) return { s } end", name: "=s")[0].function)
    #expect(try table(string: "pear").table?.sequence() == ["pear"])
    #expect(try table(number: 1) == nil)
    let fail = try #require(
      try state.run("return function() error('no') end", name: "=s")[0].function)
    #expect(throws: LuaError.self) { try fail(number: 1) }
    #expect(throws: LuaError.self) { try fail(string: "") }
  }

  @Test func `a userdata stands for one Swift object and keeps it as long as Lua does`() throws {
    final class Token { deinit { Counter.freed += 1 } }
    Counter.freed = 0
    let state = try LuaState()
    try state.register("token") { call in
      if call.userdata(0, as: Token.self) != nil { call.return("seen") }
    }
    do {
      let token = Token()
      let first = try state.userdata(for: token)
      #expect(try state.userdata(for: token) == first)
      #expect(first.object === token)
      try state.globals.rawSet("t", .userdata(first))
    }
    #expect(try state.run("return token(t)", name: "=t") == ["seen"])
    #expect(Counter.freed == 0)
    try state.run("t = nil", name: "=t")
    state.collectGarbage()
    state.collectGarbage()
    #expect(Counter.freed == 1)
  }

  @Test func `a userdata's metatable gives it methods`() throws {
    final class Account { var total = 0 }
    let state = try LuaState()
    let add = try state.function(named: "add") { call in
      guard let account = call.userdata(0, as: Account.self) else {
        throw call.wrongType(0, "account")
      }
      account.total += try call.integer(1)
      call.return(account.total)
    }
    let meta = try state.table(["__index": .table(try state.table(["add": .function(add)]))])
    try state.globals.rawSet("a", .userdata(try state.userdata(for: Account(), metatable: meta)))
    #expect(try state.run("a:add(2) return a:add(3), getmetatable(a)", name: "=t") == [5, false])
    #expect(throws: LuaError.self) { try state.run("a.add({}, 1)", name: "=t") }
  }

  @Test func `dropping a function releases what it captured`() throws {
    final class Token { deinit { Counter.freed += 1 } }
    Counter.freed = 0
    do {
      let state = try LuaState()
      for _ in 0..<100 {
        let token = Token()
        try state.register("f") { _ in _ = token }
      }
      state.collectGarbage()
      state.collectGarbage()
      #expect(Counter.freed == 99)
    }
    #expect(Counter.freed == 100)
  }

  private enum Counter { nonisolated(unsafe) static var freed = 0 }
}
