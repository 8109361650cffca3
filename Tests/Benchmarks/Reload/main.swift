// Reloads: from the close of a saved file to the frame that the new version draws, and what many of
// them leave in memory.
import Driver
import Tidelock

let driver = Driver()

/// How long the watcher waits for further saves.
let gather = 20.0
let bindingsOfModule = 100

/// Saves some modules of an app again and again, and reports how long the new frame takes.
@MainActor
func measureReload(saving saved: Int) throws {
  let modules = driver.size(default: 100)
  let app = try ModularApp(modules: modules, bindings: bindingsOfModule)
  var times: [Double] = []
  var processor: [Double] = []
  for turn in 0..<105 {
    try app.save(1...saved)
    let start = ContinuousClock.now
    let used = Driver.now()
    let report = try app.show()
    let time = start.duration(to: .now) / .milliseconds(1)
    driver.check(report.reloaded == saved + 1, "\(report.line) is not what was saved")
    driver.check(app.isCurrent, "the frame shows the saved version")
    // The first ones let memory grow that the others use again.
    if turn < 5 { continue }
    times.append(time)
    processor.append((Driver.now() - used) / 1e6)
  }
  app.close()
  times.sort()
  processor.sort()
  driver.report("middle", times[49])
  driver.report("slow", times[98])
  driver.report("middleBeyond", times[49] - gather)
  driver.report("slowBeyond", times[98] - gather)
  driver.report("processor", processor[49])
}

/// Reloads a module ten thousand times, and reports what is held on the way.
@MainActor
func measureMemory() throws {
  let app = try ModularApp(modules: 10, bindings: 20)
  var resident: [Int: Double] = [:]
  var held: [Int: Double] = [:]
  for turn in 1...10_000 {
    try app.save(1...1)
    let report = try app.runtime.reload(["m1"])
    app.runtime.settle()
    try app.scene.commit()
    driver.check(report.reloaded == 2, report.line)
    guard [1000, 5000, 10_000].contains(turn) else { continue }
    driver.check(app.isCurrent, "the frame shows the saved version")
    app.runtime.lua.collectGarbage()
    resident[turn] = Driver.resident() / 1024
    held[turn] = Double(app.runtime.memoryUsed) / 1024
  }
  app.close()
  for (turn, kilobytes) in resident { driver.report("resident\(turn)", kilobytes) }
  for (turn, kilobytes) in held { driver.report("held\(turn)", kilobytes) }
  driver.report("grown", (resident[10_000] ?? 0) - (resident[1000] ?? 0))
  driver.report("heldGrown", (held[10_000] ?? 0) - (held[1000] ?? 0))
}

switch driver.workload {
case "reload one": try measureReload(saving: 1)
case "reload ten": try measureReload(saving: 10)
case "memory": try measureMemory()
default: driver.refuse()
}
