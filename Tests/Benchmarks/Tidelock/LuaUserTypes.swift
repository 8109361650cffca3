import Driver
import LuaWorkloads
import Tidelock

/// What a host describes by a user type.
final class Described: TideConvertible {
  var x = 3.0
}

/// Runs a chunk of the Lua workloads on an object of a user type.
func runUserType(_ driver: Driver, _ workload: String) throws {
  guard let chunk = lua_workload(workload).map({ String(cString: $0) }) else { driver.refuse() }
  let state = try LuaState(), described = Described()
  let type = LuaUserType<Described>("Described")
  type.property("x") {
    $0.x
  } set: { (object: Described, x: Double) in
    object.x = x
  }
  try state.register(type)
  try state.globals.set("described", to: described)
  let results = try state.run(
    "local function work(...) \(chunk) end return function(n) work(described, n) end",
    name: "=workload")
  guard let work = results.first?.function else { driver.fail("the chunk gives no function") }
  driver.measure("operation", units: Int(LUA_WORKLOAD_OPERATIONS)) { count in
    do { try work.call([.integer(count)]) } catch { driver.fail("\(error)") }
  }
  driver.check(workload == "read number" || described.x > 3, "the number written")
  withExtendedLifetime(state) {}
}
