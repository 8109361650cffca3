// Ours, through the public API alone.
import Driver

let driver = Driver()
switch driver.workload {
case "W1 typed": chain(driver, .typed)
case "W1 copy": chain(driver, .copy)
case "W1 dynamic": dynamicChain(driver)
case "W1 computed": computedChain(driver)
case "W1 pulled": pulledChain(driver)
case "W2": fanOut(driver)
case "W3 typed": diamond(driver)
case "W3 computed": computedDiamond(driver)
case "W4": pairs(driver)
case "W5": twoWay(driver)
case "W6 typed": transformer(driver)
case "W6 dynamic": namedTransformer(driver)
case "W7": mappedList(driver)
case "depth": depth(driver)
case "insert sorted": insertRows(driver) { $0.ordered { $0 } }
case "insert filtered": insertRows(driver) { $0.filtered { $0 % 3 != 0 } }
case "insert compared": try insertCompared(driver)
case "set": setRows(driver)
case "open feed": try openFeed(driver)
case "open list": try openList(driver)
case "scroll fixed": try scrollList(driver, rowHeight: 2, step: 12)
case "scroll auto": try scrollList(driver, rowHeight: "auto", step: 24)
case "call number": try callWithNumber(driver, .shared)
case "call string": try callWithString(driver, .shared)
case "call number, own turn": try callWithNumber(driver, .own)
case "call string, own turn": try callWithString(driver, .own)
case "call typed": try callTyped(driver)
case "end to end": try endToEnd(driver)
case "bind": try bindExpressions(driver)
case "wait": try callAndWait(driver, .ready)
case "wait, suspending": try callAndWait(driver, .suspending)
case "suspend alone": suspendAlone(driver)
case "bytes": try measureBytes(driver)
case "attacks": try runAttacks(driver, memory: 32 << 20, givenUp: false)
case "attacks, 256 MiB": try runAttacks(driver, memory: 256 << 20, givenUp: false)
case "attacks, given up": try runAttacks(driver, memory: 32 << 20, givenUp: true)
case "open": openStates(driver)
case "json decode", "json encode": try runJSON(driver)
case let workload where workload.hasPrefix("signals "):
  try runSignals(driver, String(workload.dropFirst(8)))
case let workload where workload.hasPrefix("library "):
  try runLibrary(driver, String(workload.dropFirst(8)))
case let workload where workload.hasPrefix("stock "):
  runStockLibrary(driver, String(workload.dropFirst(6)))
case let workload where workload.hasPrefix("loop "):
  try loopOverRows(driver, String(workload.dropFirst(5)))
case let workload where workload.hasPrefix("user "):
  try runUserType(driver, String(workload.dropFirst(5)))
case let workload where workload.hasPrefix("host "):
  try runChunk(driver, String(workload.dropFirst(5)), on: .host)
default: try runChunk(driver, driver.workload, on: .script)
}
