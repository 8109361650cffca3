// The monitor of examples/monitor on a terminal that nobody looks at: from a change of a model to
// the bytes of the frame that shows it. Its sources are part of this program, all but its command
// line.
import Driver
import FoundationEssentials
import Terminal
import TideREPL
import Tidelock

let driver = Driver()
let folder = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../examples/monitor")
let source = try RecordedMachine(folder.appending(path: "recorded").path)
let dashboard = try Dashboard(app: folder.appending(path: "app.lua"), source: source)
var samples: [Sample] = []
while let sample = source.sample() { samples.append(sample) }
try dashboard.runtime.load()

let terminal = try HiddenTerminal(columns: 120, rows: 40)
guard let scene = dashboard.runtime.scene else { driver.fail("the script shows nothing") }
try scene.mount(terminal.renderer)
driver.check(scene.window.snapshot().contains("CPU"), "the dashboard shows the processor")

var changes = 0

/// Does a change, another one each time, and draws the frame that shows it.
@MainActor
func draw(_ change: (Int) -> Void, times count: Int) {
  for _ in 0..<count {
    changes += 1
    change(changes)
    dashboard.runtime.settle()
    driver.check(scene.needsFrame, "a changed model changes the picture")
    do { try scene.commit() } catch { driver.fail("\(error)") }
  }
}

// The figures are milliseconds: a million nanoseconds.
switch driver.workload {
case "frame property":
  let processor = dashboard.machine.cpu
  driver.measure("frame", units: 1_000_000) { count in
    draw({ processor.busy = $0 % 2 == 0 ? 0.25 : 0.75 }, times: count)
  }
case "frame sample":
  driver.measure("frame", units: 1_000_000) { count in
    draw({ dashboard.machine.take(samples[$0 % samples.count]) }, times: count)
  }
case "profiled":
  // In turn, so that what else the machine does meets both.
  let session = try Session(dashboard.runtime)
  var times: [Bool: [Double]] = [:]
  for round in 0..<40 {
    let isMeasured = round % 2 == 1
    if isMeasured { _ = session.run(":profile") }
    // What is measured is named once, when it first runs.
    draw({ dashboard.machine.take(samples[$0 % samples.count]) }, times: samples.count)
    let start = Driver.now()
    draw({ dashboard.machine.take(samples[$0 % samples.count]) }, times: 20 * samples.count)
    times[isMeasured, default: []].append(Driver.now() - start)
    if isMeasured { _ = session.run(":profile") }
  }
  let middle = times.mapValues { $0.sorted()[$0.count / 2] }
  driver.report("cost", ((middle[true] ?? 0) / (middle[false] ?? 1) - 1) * 100)
default: driver.refuse()
}
scene.unmount()
