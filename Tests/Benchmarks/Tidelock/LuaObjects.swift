import Driver
import FoundationEssentials
import LuaWorkloads
import Tidelock

/// A model as a Swift host declares it.
final class Record: DataObject {
  @Property var p0 = 0.0
  @Property var p1 = 0.0
  @Property var p2 = 0.0
  @Property var p3 = 0.0
  @Property var x = 3.0
  @Property var y = 0.0
  @Property var z = 0.0
  @Property var name = "hello world"
  @Property var title = "a title"
}

/// Whose object a script works on.
enum Maker: String {
  case script, host

  /// The Lua expression that gives the object.
  var expression: String { self == .script ? "Record {}" : "models.record" }
}

private let scriptClass = """
  local Record = class "Record" {
    p0 = 0.0, p1 = 0.0, p2 = 0.0, p3 = 0.0, x = 3.0, y = 0.0, z = 0.0,
    name = "hello world", title = "a title",
    scale = function(self, factor) return self.x * factor end,
  }
  """

/// Runs a chunk of the Lua workloads on an object.
func runChunk(_ driver: Driver, _ workload: String, on maker: Maker) throws {
  guard let chunk = lua_workload(workload).map({ String(cString: $0) }) else { driver.refuse() }
  let runtime = try Runtime(app: URL(filePath: "workload.lua")), record = Record()
  try runtime.register("record", record)
  try runtime.methods(of: Record.self).define("scale") { record, call in
    call.return(record.x * (try call.number(1)))
  }
  let listen =
    workload == "write heard"
    ? "local last observe(o, 'x', function(value) last = value end)" : ""
  let results = try runtime.lua.run(
    """
    \(scriptClass)
    local o = \(maker.expression)
    \(listen)
    local function work(...) \(chunk) end
    return function(n) work(o, n) end, function() return o.x, o.name end
    """, name: "=workload")
  guard let work = results[0].function, let look = results[1].function else {
    driver.fail("the chunk gives no functions")
  }
  driver.measure("operation", units: Int(LUA_WORKLOAD_OPERATIONS)) { count in
    do { try work.call([.integer(count)]) } catch { driver.fail("\(error)") }
  }
  let seen = try look.call([])
  if workload.hasPrefix("write number") {
    driver.check(seen[0].number ?? 0 > 3, "the number written")
    driver.check(maker == .script || record.x == seen[0].number, "the number that Swift sees")
  }
  driver.check(seen[1].string?.utf8.count == 11, "the string")
}

/// What Lua's memory holds for an object of the script's. The map of known objects grows by
/// doubling: here from 128 entries, of which some 70 are taken, to 32,768, of which as few are
/// left. So what it grows by is what the objects need, whatever few objects the runtime has made
/// for itself.
func measureBytes(_ driver: Driver) throws {
  let earlier = 65, count = 32_768 - 128
  let runtime = try Runtime(app: URL(filePath: "workload.lua"))
  let make = try runtime.lua.run(
    """
    \(scriptClass)
    local kept = { earlier = {} }
    for i = 1, \(earlier) do kept.earlier[i] = Record {} end
    for i = 1, \(count) do kept[i] = false end
    return function() for i = 1, \(count) do kept[i] = Record {} end end
    """, name: "=workload")[0].function
  runtime.lua.collectGarbage()
  let before = runtime.lua.memoryUsed
  _ = try make?.call([])
  runtime.lua.collectGarbage()
  driver.report("bytes", Double(runtime.lua.memoryUsed - before) / Double(count))
  withExtendedLifetime(make) {}
}

/// A script decodes or encodes a small text of JSON.
func runJSON(_ driver: Driver) throws {
  guard let chunk = json_workload(driver.workload).map({ String(cString: $0) }) else {
    driver.refuse()
  }
  let runtime = try Runtime(app: URL(filePath: "workload.lua"))
  let work = try runtime.lua.load(chunk, name: "=workload")
  driver.measure("operation", units: 1) { count in
    do {
      driver.check(try work.call([.integer(count)]).first == .boolean(true), "the result")
    } catch { driver.fail("\(error)") }
  }
}
