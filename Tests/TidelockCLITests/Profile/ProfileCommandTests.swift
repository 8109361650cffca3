import Foundation
import TestFolders
import Testing

struct ProfileCommandTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      local m = model "m" { n = 0, twice = computed(function(m) return m.n * 2 end) }
      print("noise")
      return view.column {
        view.field { bindTo = { text = "<> m.n" } },
        view.label { text = function() return "twice " .. m.twice end },
      }
      """, to: "app.lua")
  }

  private func profile(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["profile"] + arguments, in: folder)
  }

  @Test func `prints a table of what has run when the app ends`() throws {
    let outcome = try profile("app.lua", "--keys", "Tab 1 2")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.outputLines.first == "noise")
    let line = outcome.outputLines.first { $0.contains("m.twice") }
    #expect(
      line?.contains("computed") == true && line?.hasSuffix("app.lua:1") == true,
      "\(outcome.output)")
    #expect(outcome.output.contains("main script") && outcome.output.contains("<> m.n"))
    #expect(outcome.outputLines.last?.hasPrefix("app.lua: ") == true)
    #expect(try profile("app.lua", "--top", "1").outputLines.count == 5)
  }

  @Test(arguments: ["auto", "required"])
  func `writes a flame graph and a file for speedscope, also where the app is confined`(
    confine: String
  ) throws {
    let outcome = try profile(
      "app.lua", "--svg", "flames.svg", "--speedscope", "flames.json", "--top", "0", "--confine",
      confine)
    if outcome.status == .exited(69) { return }
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.outputLines == ["noise"])
    #expect(folder.read("flames.svg").contains("m.twice"))
    let json = try JSONSerialization.jsonObject(with: Data(folder.read("flames.json").utf8))
    #expect((json as? [String: Any])?["profiles"] != nil)
  }

  @Test func `gives an object a line as JSON`() throws {
    let outcome = try profile("app.lua", "--json")
    let lines = outcome.outputLines.filter { $0.contains("\"event\":\"profile\"") }
    #expect(lines.contains { $0.contains("\"name\":\"m.twice\"") && $0.contains("\"runs\":") })
  }

  @Test func `says what is wrong`() throws {
    #expect(try profile("app.lua", "--top", "-1").status == .exited(64))
    #expect(try profile("app.lua", "--svg", "").status == .exited(64))
    #expect(try profile("missing.lua").status == .exited(66))
    let outcome = try profile("app.lua", "--svg", "nowhere/flames.svg")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("nowhere/flames.svg"))
    #expect(outcome.output.contains("m.twice"))
    folder.write("local x =", to: "broken.lua")
    #expect(try profile("broken.lua").status == .exited(65))
  }
}
