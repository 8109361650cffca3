import Driver
import FoundationEssentials
import LuaWorkloads
import Tidelock

/// A script changes the source of a graph of computed values and effects, or of bindings, that it
/// made.
func runSignals(_ driver: Driver, _ workload: String) throws {
  var edges: Int32 = 0
  guard let chunk = signal_workload(workload, true, &edges).map({ String(cString: $0) }) else {
    driver.refuse()
  }
  let runtime = try Runtime(app: URL(filePath: "workload.lua"))
  let results = try runtime.lua.run(chunk, name: "=workload")
  guard let change = results[0].function, let isRight = results[1].function else {
    driver.fail("the chunk gives no functions")
  }
  driver.measure("edge", units: Int(edges)) { count in
    do { try change.call([.integer(count)]) } catch { driver.fail("\(error)") }
  }
  driver.check(try isRight.call([]).first == .boolean(true), "the end of the graph")
}
