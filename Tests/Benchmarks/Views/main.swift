// Views in a terminal that nobody looks at: from changes of models to the bytes of the frame.
import Driver
import FoundationEssentials
import Terminal
import TideViews
import Tidelock

final class Source: DataObject {
  @Property var text = "a"
}

let driver = Driver()
let columns = 200
let rows = 50

/// A label for each cell of a screen, each bound to a property of its own.
@MainActor
func makeScreen() throws -> (scene: Scene, sources: [Source], context: BindingContext) {
  let context = BindingContext()
  var sources: [Source] = []
  let screen = ViewClass.column.make()
  for _ in 0..<rows {
    let row = ViewClass.row.make()
    for _ in 0..<columns {
      let source = Source()
      let label = LabelView()
      try context.bind(source, \.text, to: label, \.text)
      sources.append(source)
      try row.add(label)
    }
    try screen.add(row)
  }
  return (try Scene(root: screen), sources, context)
}

/// Changes the first labels of a screen to another letter each time, and draws the frame.
@MainActor
func measureScreen(changing count: Int) throws {
  let (scene, sources, context) = try makeScreen()
  let terminal = try HiddenTerminal(columns: UInt16(columns), rows: UInt16(rows))
  try scene.mount(terminal.renderer)
  var turn = 0
  let letters = (0..<26).map { String(UnicodeScalar(UInt8(97 + $0))) }
  driver.measure("frame", units: 1_000_000) { times in
    for _ in 0..<times {
      turn += 1
      for index in 0..<count { sources[index].text = letters[(turn + index) % 26] }
      do { try scene.commit() } catch { driver.fail("\(error)") }
    }
  }
  driver.check(
    scene.window.snapshot().hasPrefix(letters[turn % 26]), "the letters show")
  let frames = 100
  let before = terminal.bytesRead()
  for _ in 0..<frames {
    turn += 1
    for index in 0..<count { sources[index].text = letters[(turn + index) % 26] }
    try scene.commit()
  }
  driver.report("bytes", Double(terminal.bytesRead() - before) / Double(frames))
  scene.unmount()
  withExtendedLifetime(context) {}
}

/// A list of a million rows, moved in one way and drawn, again and again.
@MainActor
func measureList(_ key: (Int) -> String) throws {
  let rows = ValueList((1...1_000_000).map { .string("row \($0)") })
  let list = ViewClass.list.make()
  list[.items] = .object(rows)
  let scene = try Scene(root: list)
  let terminal = try HiddenTerminal(columns: 80, rows: 24)
  try scene.mount(terminal.renderer)
  scene.focus(list)
  var turn = 0
  driver.measure("frame", units: 1_000_000) { times in
    for _ in 0..<times {
      turn += 1
      do {
        try scene.send(keys: key(turn))
        try scene.commit()
      } catch { driver.fail("\(error)") }
    }
  }
  driver.check(scene.window.snapshot().contains("row "), "rows show")
  scene.unmount()
}

/// From the call of `tidelock run` to the first bytes of its first frame, on a terminal.
@MainActor
func measureStart() throws {
  let example = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../examples/fruit/app.lua").standardized.path
  let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "tidelock").path
  var times: [Double] = []
  for _ in 0..<9 {
    let launch = try Launch(program, ["run", example], until: "Ripen")
    times.append(launch.milliseconds)
  }
  driver.report("frame", times.sorted()[times.count / 2])
}

switch driver.workload {
case "screen": try measureScreen(changing: columns * rows)
case "cell": try measureScreen(changing: 1)
case "page": try measureList { $0 / 2000 % 2 == 0 ? "PageDown" : "PageUp" }
case "ends": try measureList { $0 % 2 == 0 ? "Home" : "End" }
case "start": try measureStart()
case "textual screen": runTextual()
default: if try !measurePrompt(driver.workload) { driver.refuse() }
}
