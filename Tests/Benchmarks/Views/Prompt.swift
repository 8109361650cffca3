import Driver
import FoundationEssentials
import Terminal
import TideREPL
import Tidelock

/// From the call of `tidelock repl -e` to what it prints, and what that is beyond stock Lua's
/// interpreter, which takes its turn in between.
@MainActor
func measurePrompt() throws {
  let ours = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "tidelock").path
  var times: [Double] = [], differences: [Double] = []
  for _ in 0..<15 {
    let launch = try Launch(ours, ["repl", "-e", "print(1)"], until: "1")
    times.append(launch.milliseconds)
    if let stock = try? Launch("/usr/bin/lua5.4", ["-e", "print(1)"], until: "1") {
      differences.append(launch.milliseconds - stock.milliseconds)
    }
  }
  driver.report("start", times.sorted()[times.count / 2])
  if !differences.isEmpty {
    driver.report("beyond", differences.sorted()[differences.count / 2])
  }
}

/// Completes a text in an app that has ten thousand names of one kind.
@MainActor
func measureCompletion(_ script: String, of text: String) throws {
  let runtime = try Runtime(app: URL(filePath: "app.lua"))
  try runtime.evaluate(script, as: Bool?.self)
  let session = try Session(runtime)
  driver.measure("complete", units: 1_000_000) { times in
    for _ in 0..<times { _ = session.completion(of: text) }
  }
  let count = session.completion(of: text).words.count
  driver.check(count == 10_000, "\(count) names are found")
}

@MainActor
func measurePrompt(_ workload: String) throws -> Bool {
  switch workload {
  case "prompt": try measurePrompt()
  case "drive": try measureDriving()
  case "complete globals":
    try measureCompletion("for i = 1, 10000 do _G['global' .. i] = i end", of: "glob")
  case "complete properties":
    try measureCompletion(
      "local f = {} for i = 1, 10000 do f['property' .. i] = i end model 'big' (f)",
      of: "models.big.prop")
  case "complete ids":
    try measureCompletion(
      """
      local labels = {}
      for i = 1, 10000 do labels[i] = view.label { id = 'label' .. i } end
      show(view.column(labels))
      """, of: "views.lab")
  default: return false
  }
  return true
}
