import Driver
import Foundation
import Tidelock

/// Runs the scripts that the tests attack the interpreter with, and reports by how much they
/// overran: time beyond the turn's limit, and memory beyond the interpreter's.
///
/// On a machine that does other things too an overrun says little; of three tries the least counts.
func runAttacks(_ driver: Driver, memory: Int, givenUp: Bool) throws {
  let turn = 0.1
  var overruns: [Double] = []
  var largest = 0
  for source in try attackScripts() where source.isTimed && source.isGivenUp == givenUp {
    var least = Double.infinity
    for _ in 0..<3 where least > 15 {
      var configuration = LuaConfiguration()
      configuration.turn = .milliseconds(Int(turn * 1000))
      configuration.memory = memory
      let state = try LuaState(configuration)
      state.onPrint = { _ in }
      state.onWarning = { _ in }
      let start = DispatchTime.now().uptimeNanoseconds
      var wasStopped = false
      do { try state.run(source.text, name: "=attack") } catch { wasStopped = error.kind == .time }
      let spent = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
      largest = max(largest, state.memoryPeak - memory)
      driver.check(spent < 60, "the time of \(source.name)")
      // Some run out of memory, or end, before their time is over.
      least = min(least, wasStopped ? (spent - turn) * 1000 : 0)
      if !wasStopped { break }
    }
    if least > 25 { FileHandle.standardError.write(Data("\(source.name): \(least) ms\n".utf8)) }
    if least > 0 { overruns.append(least) }
  }
  overruns.sort()
  driver.check(!overruns.isEmpty, "that anything was stopped")
  driver.report("largest", overruns[overruns.count - 1])
  driver.report("median", overruns[overruns.count / 2])
  driver.report("memory", Double(max(0, largest)) / 1024)
}

private struct AttackScript {
  let name: String
  let text: String
  let isTimed: Bool
  let isGivenUp: Bool
}

private func attackScripts() throws -> [AttackScript] {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../TideLuaTests/Attacks").standardized
  let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
  return try files.filter { $0.hasSuffix(".lua") }.sorted().map { file in
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    let expected = text.split(separator: "\n").first { $0.hasPrefix("-- expect: ") } ?? ""
    let isGivenUp = expected.contains("given up")
    // Some use faults that only a later release of Lua has not.
    let isMeant = !text.contains("\n-- mended: ")
    return AttackScript(
      name: file, text: text, isTimed: isMeant && (isGivenUp || expected.contains("time")),
      isGivenUp: isGivenUp)
  }
}
