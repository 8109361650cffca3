import CLua54
import Foundation
import Testing
import TideLua

/// Runs one chunk of generated cases in a sandbox and in an interpreter without any of ours, and
/// compares what the two noted, line by line.
///
/// ```swift
/// try Agreement.expect(#"for i = 1, cases do note("rep", pcall(string.rep, text(), i)) end"#, seed: 1)
/// ```
///
/// A chunk draws from `random` alone, whose numbers depend on nothing but the seed.
/// `TIDELOCK_SEEDS=1000` runs so many more seeds of each test than usual.
enum Agreement {
  /// The seeds of a test: the fixed ones, which have found something once, and as many as asked
  /// for.
  static func seeds(_ fixed: Int...) -> [Int] {
    let more = ProcessInfo.processInfo.environment["TIDELOCK_SEEDS"].flatMap { Int($0) } ?? 0
    return fixed + (0..<more).map { 1_000_000 + $0 }
  }

  static func expect(_ cases: String, seed: Int, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let source = "\(prelude)\n\(cases)\nreturn table.concat(out, '\\n')"
    let stock = try runStock(source, seed: seed)
    let ours = try runOurs(source, seed: seed)
    #expect(stock.count == ours.count, "seed \(seed)", sourceLocation: sourceLocation)
    let different = zip(stock, ours).filter { $0 != $1 }
    for (expected, got) in different.prefix(3) {
      Issue.record(
        "seed \(seed)\nstock: \(expected)\nours:  \(got)", sourceLocation: sourceLocation)
    }
  }

  private static func runStock(_ source: String, seed: Int) throws -> [Substring] {
    let L = try #require(luaL_newstate())
    defer { lua_close(L) }
    luaL_openlibs(L)
    lua_pushinteger(L, lua_Integer(seed))
    lua_setglobal(L, "seed")
    let status =
      luaL_loadbufferx(L, source, source.utf8.count, "=t", "t") == LUA_OK
      ? lua_pcallk(L, 0, 1, 0, 0, nil) : LUA_ERRSYNTAX
    var count = 0
    let bytes = UnsafeRawPointer(try #require(lua_tolstring(L, -1, &count)))
    let result = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    try #require(status == LUA_OK, "\(result)")
    return result.split(separator: "\n")
  }

  private static func runOurs(_ source: String, seed: Int) throws -> [Substring] {
    var configuration = LuaConfiguration()
    configuration.turn = nil
    let state = try LuaState(configuration)
    try state.globals.rawSet("seed", .integer(seed))
    return try #require(try state.run(source, name: "=t").first?.string).split(separator: "\n")
  }

  private static let prelude = #"""
    math.randomseed(seed)
    local random, out, type, select, pcall = math.random, {}, type, select, pcall
    local function show(v)
      if type(v) == "string" then
        return '"' .. (v:gsub("[%c\\\"\x7f-\xff]", function(c) return "\\" .. c:byte() end)) .. '"'
      end
      local kind = math.type(v)
      if kind == "float" then return ("%a"):format(v) end
      return (kind or type(v) == "boolean" or v == nil) and tostring(v) or type(v)
    end
    local function line(...)
      local t = table.pack(...)
      for i = 1, t.n do t[i] = show(t[i]) end
      return table.concat(t, ", ")
    end
    local function note(label, ...) out[#out + 1] = label .. " => " .. line(...) end
    local function pick(t) return t[random(#t)] end
    local function make(n, parts)
      local t = {}
      for i = 1, random(0, n) do t[i] = parts[random(#parts)] end
      return table.concat(t)
    end
    local function bytes(n)
      local t = {}
      for i = 1, random(0, n) do t[i] = string.char(random(0, 255)) end
      return table.concat(t)
    end
    local thing = setmetatable({}, { __name = "Thing", __tostring = function() return "a thing" end })
    local odd = { n = 17,
      true, rawlen, thing, {}, 12, -3, 1.5, 3.0, 2^53, "10", "0x10", " 7 ", "x", "", math.mininteger,
      math.maxinteger, math.huge }
    -- Any value, nil among them.
    local function anything() return odd[random(0, odd.n)] end
    -- As many repetitions or steps as a large number asks for would take for ever.
    local function near(v) return math.type(v) and (v > 1e6 or v < -1e6) and 7 or v end
    local function allNear(...)
      local t = table.pack(...)
      for i = 1, t.n do t[i] = near(t[i]) end
      return table.unpack(t, 1, t.n)
    end
    local function small() return random(-12, 12) end
    -- Calls as a script's text would, so that messages name the function as they find it.
    local callers = {}
    local function callAs(form, name, ...)
      local key = form .. name
      local caller = callers[key]
      if not caller then
        local last = name:match("%w+$")
        local text = form == "local" and "local " .. last .. " = " .. name .. " return function(...) local r = pack("
          .. last .. "(...)) return unpack(r, 1, r.n) end"
          or form == "field" and "return function(...) local r = pack(" .. name
          .. "(...)) return unpack(r, 1, r.n) end"
          or "return function(self, ...) local r = pack(self:" .. last
          .. "(...)) return unpack(r, 1, r.n) end"
        local environment = { pack = table.pack, unpack = table.unpack, string = string,
          table = table, utf8 = utf8 }
        caller = load(text, "=call", "t", environment)()
        callers[key] = caller
      end
      return pcall(caller, ...)
    end
    local function arguments(first, most)
      local t = { first }
      local n = random(0, most)
      for i = 2, n do
        local roll = random(4)
        t[i] = roll == 1 and anything() or roll == 2 and tostring(small()) or small()
      end
      return table.unpack(t, 1, n)
    end
    """#
}
