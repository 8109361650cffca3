import Driver
import LuaWorkloads
import StockLua
import Tidelock

/// A script uses a function of the library, which in a sandbox is often one of ours.
func runLibrary(_ driver: Driver, _ workload: String) throws {
  let (chunk, operations) = libraryChunk(driver, workload)
  var configuration = LuaConfiguration()
  configuration.turn = .seconds(60)
  let state = try LuaState(configuration)
  let rounds = try state.load(chunk, name: "=workload")
  driver.measure("operation", units: operations) { count in
    do {
      driver.check(try rounds.call([.integer(count)]).first != .nil, "the result")
    } catch { driver.fail("\(error)") }
  }
  withExtendedLifetime(state) {}
}

/// The same with Lua's own function.
func runStockLibrary(_ driver: Driver, _ workload: String) {
  let (chunk, operations) = libraryChunk(driver, workload)
  guard let stock = stock_open(chunk) else { driver.fail("the chunk does not load") }
  driver.measure("operation", units: operations) { count in
    driver.check(stock_run(stock, count), "the result")
  }
}

private func libraryChunk(
  _ driver: Driver, _ workload: String
) -> (chunk: String, operations: Int) {
  var operations: Int32 = 0
  guard let chunk = library_workload(workload, &operations) else { driver.refuse() }
  return (String(cString: chunk), Int(operations))
}

/// Opens an interpreter with the whole sandbox, and closes it.
func openStates(_ driver: Driver) {
  driver.measure("operation", units: 1) { count in
    for _ in 0..<count {
      do { try LuaState().close() } catch { driver.fail("\(error)") }
    }
  }
}
