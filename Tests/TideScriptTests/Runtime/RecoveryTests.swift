import Testing
import TideBindings
import TideLua
@testable import TideScript

/// What was stopped or has failed works again afterwards, or the app ends and says so.
@Suite struct `Recovery after a stop or a failure` {
  /// A runtime in which a turn is short, and what its script lists.
  private func runtime(turn: Duration = .milliseconds(100)) throws -> Runtime {
    var configuration = Runtime.Configuration(turn: turn)
    configuration.print = { _ in }
    return try Runtime(file: "app.lua", configuration: configuration)
  }

  @Test func `a computed value recovers together with the one that it reads`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      first = object { n = 1, twice = computed(function(self)
        if self.n == 2 then error "two" end
        return self.n * 2
      end) }
      second = object { v = computed(function() return first.twice + 1 end) }
      third = object { v = computed(function() return second.v + 1 end) }
      shown = object { v = 0 }
      bind("v -> v", third, shown)
      """, as: Value.self)
    #expect(try runtime.evaluate("third.v", as: Int.self) == 4)
    try runtime.evaluate("first.n = 2", as: Value.self)
    #expect(throws: TideError.self) { try runtime.evaluate("third.v", as: Value.self) }
    try runtime.evaluate("first.n = 3", as: Value.self)
    #expect(try runtime.evaluate("third.v", as: Int.self) == 8)
    #expect(try runtime.evaluate("shown.v", as: Int.self) == 8)
  }

  @Test func `a computed value recovers that failed from the start`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      first = object { n = 2, twice = computed(function(self)
        if self.n == 2 then error "two" end
        return self.n * 2
      end) }
      second = object { v = computed(function() return first.twice + 1 end) }
      """, as: Value.self)
    #expect(throws: TideError.self) { try runtime.evaluate("second.v", as: Value.self) }
    try runtime.evaluate("first.n = 3", as: Value.self)
    #expect(try runtime.evaluate("second.v", as: Int.self) == 7)
  }

  @Test(arguments: ["error 'x'", "while true do end"])
  func `an effect runs again after its clean-up failed or was stopped`(_ attack: String) throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      o, runs, cleanUps = object { n = 0 }, 0, 0
      effect(function()
        runs = runs + 1
        local n = o.n
        return function()
          cleanUps = cleanUps + 1
          if cleanUps == 1 then \(attack) end
        end
      end)
      """, as: Value.self)
    _ = try? runtime.evaluate("o.n = 1", as: Value.self)
    try runtime.evaluate("o.n = 2", as: Value.self)
    try runtime.evaluate("o.n = 3", as: Value.self)
    #expect(try runtime.evaluate("runs >= 3", as: Bool.self))
  }

  /// Its function is called when no time is left, and reads nothing then.
  @Test func `an effect that was called when no time was left runs again`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      o = object { n = 0, twice = computed(function(self) return self.n * 2 end) }
      seen, follower = 0, object { n = 0 }
      observe(o, "n", function(n) if n == 1 then while true do end end end)
      effect(function() seen = o.n end)
      bind(follower, "n", function() return o.n end)
      """, as: Value.self)
    #expect(throws: TideError.self) { try runtime.evaluate("o.n = 1", as: Value.self) }
    try runtime.evaluate("o.n = 2", as: Value.self)
    #expect(try runtime.evaluate("seen", as: Int.self) == 2)
    #expect(try runtime.evaluate("follower.n", as: Int.self) == 2)
    #expect(try runtime.evaluate("o.twice", as: Int.self) == 4)
  }

  @Test func `a computed value that was read when no time was left is evaluated again`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      o = object { n = 1, twice = computed(function(self) return self.n * 2 end) }
      observe(o, "n", function() pcall(function() while true do end end) return o.twice end)
      """, as: Value.self)
    _ = try? runtime.evaluate(
      "pcall(function() while true do end end) return o.twice", as: Value.self)
    #expect(try runtime.evaluate("o.twice", as: Int.self) == 2)
  }

  @Test func `an app ends when its interpreter was abandoned`() throws {
    let runtime = try runtime()
    var errors: [TideError] = []
    runtime.onError = { errors.append($0) }
    try runtime.evaluate("for _ = 1, 10 do every(0.001, function() end) end", as: Value.self)
    runtime.loop.after(0.003) { [unowned runtime] in
      // As happens when nothing else can stop a script.
      runtime.lua.close()
    }
    for _ in 0..<1000 where runtime.exitCode == nil { runtime.turn(timeout: 0.01) }
    #expect(runtime.exitCode == 1)
    #expect(errors.count <= 1)
  }

  @Test func `the runtime handles tables without needing any global`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      o = object { p = property {} }
      local globals = _G
      for name in pairs(globals) do if name ~= "o" then globals[name] = nil end end
      o.p = { 1, 2 }
      """, as: Value.self)
    #expect(try runtime.evaluate("#o.p", as: Int.self) == 2)
  }

  @Test func `timers that are always due do not starve the host`() throws {
    let runtime = try runtime(turn: .milliseconds(50))
    try runtime.evaluate(
      """
      count = 0
      local function again() count = count + 1 after(0, again) for i = 1, 1e6 do end end
      again()
      """, as: Value.self)
    runtime.settle()
    // Without that bound it would be a thousand turns of the loop.
    #expect(try runtime.evaluate("count < 1000", as: Bool.self))
  }

  @Test func `an interpreter that was given up tells why once, with its place`() throws {
    let runtime = try runtime(turn: .milliseconds(20))
    var told: [TideError] = []
    runtime.onError = { told.append($0) }
    try runtime.evaluate(
      """
      a, b = object { n = 0 }, object { n = 0 }
      bind("n -> n", a, b, { when = function()
        if a.n > 0 then local t = setmetatable({}, {}) getmetatable(t).__call = t t() end
        return true
      end })
      observe(b, "n", function() end)
      """, as: Value.self)
    _ = try? runtime.evaluate("a.n = 1", as: Value.self)
    runtime.settle()
    #expect(told.count == 1)
    #expect(told.first?.code == .scriptTime)
    #expect(told.first?.message.contains("so the interpreter is closed") == true)
    #expect(told.first?.location?.line == 3)
    #expect(runtime.exitCode == 1)
  }

  @Test func `an app whose interpreter a host's call closed says why it ends`() throws {
    let runtime = try runtime(turn: .milliseconds(20))
    var told: [TideError] = []
    runtime.onError = { told.append($0) }
    #expect(throws: TideError.self) {
      try runtime.evaluate(
        "local t = setmetatable({}, {}) getmetatable(t).__call = t t()", as: Value.self)
    }
    runtime.turn(timeout: 0)
    #expect(told.count == 1)
    #expect(told.first?.message.contains("so the interpreter is closed") == true)
    #expect(runtime.exitCode == 1)
  }
}
