import TestFolders
import Testing

/// Bytes on their way to scripts count for `--memory` before they are read. So the whole process
/// stays below the budget and what the program itself takes.
struct FlightTests: AppSuite {
  let folder: ScratchFolder

  /// What a program built for debugging takes beside its scripts' memory, with room for what the
  /// system's allocator keeps: 45 MiB were measured for an empty app, and up to 141 beside the budget.
  private static let margin = hasSanitizer ? 1 << 30 : 150 << 20
  private static let budget = 64 << 20

  init() throws {
    folder = try ScratchFolder(folders: "data")
    folder.write(String(repeating: "x", count: 8 << 20), to: "data/large")
  }

  private func outcome(of script: String, _ flags: String...) throws -> Program.Outcome {
    folder.write(script, to: "app.lua")
    return try Program(
      ["run", "app.lua", "--memory", "64M", "--allow", "read=data,run=cat"] + flags, in: folder
    ).finish(seconds: 120)
  }

  /// Does something in many tasks at once, and prints how many bytes came of all of them.
  private func many(_ call: String) -> String {
    """
    local done, bytes, failed = 0, 0, 0
    for _ = 1, 40 do
      spawn(function()
        local ok, text = pcall(function() return \(call) end)
        if ok then bytes = bytes + #text else failed = failed + 1 print(text) end
        done = done + 1
        if done == 40 then print(bytes, failed) exit() end
      end)
    end
    """
  }

  @Test(arguments: [
    "file.read('data/large')", "process.run('cat', { 'data/large' }).output",
  ])
  func `many at once wait for one another, and all succeed`(call: String) throws {
    let outcome = try outcome(of: many(call))
    #expect(outcome.outputLines.last == "\(40 * (8 << 20))\t0", "\(outcome.errors)")
    #expect(outcome.peakMemory < Self.budget + Self.margin)
  }

  @Test func `what does not fit at all is an error with words, and the app goes on`() throws {
    folder.write(String(repeating: "x", count: 60 << 20), to: "data/huge")
    let outcome = try outcome(
      of: """
        spawn(function()
          print(pcall(file.read, "data/huge"))
          print(pcall(process.run, "cat", { "data/huge" }))
          print(#file.read("data/large"))
          exit()
        end)
        """)
    let lines = outcome.outputLines
    try #require(lines.count == 3, "\(outcome.output) \(outcome.errors)")
    #expect(lines[0].contains("not enough memory for \"data/huge\""))
    #expect(lines[1].contains("not enough memory for what \"cat\" writes"))
    #expect(lines[2] == "\(8 << 20)")
    #expect(outcome.peakMemory < Self.budget + Self.margin)
  }

  @Test func `what programs are to read is refused where there is no memory for it`() throws {
    let outcome = try outcome(
      of: """
        local large = ("y"):rep(8 << 20)
        local done, complete = 0, 0
        for _ = 1, 40 do
          spawn(function()
            local ok, answer = pcall(process.run, "cat", {}, { input = large })
            if ok and answer.output == large then complete = complete + 1
            elseif ok or not tostring(answer):find("not enough memory for what", 1, true) then
              print(answer)
            end
            done = done + 1
            if done == 40 then print(complete > 0, complete < 40) exit() end
          end)
        end
        """)
    #expect(outcome.output == "true\ttrue\n", "\(outcome.errors)")
    #expect(outcome.peakMemory < Self.budget + Self.margin)
  }

  @Test func `files that are watched are shown as far as there is memory`() throws {
    let outcome = try outcome(
      of: """
        local all = {}
        for i = 1, 40 do all[i] = file.watch("data/large") end
        local function look()
          local shown, refused = 0, 0
          for _, one in ipairs(all) do
            if one.exists then shown = shown + 1 elseif one.error then refused = refused + 1 end
          end
          if shown + refused == #all then print(shown > 0, refused > 0) exit() end
        end
        every(0.05, look)
        """)
    #expect(outcome.output == "true\ttrue\n", "\(outcome.errors)")
    #expect(outcome.peakMemory < Self.budget + Self.margin)
  }

  @Test(arguments: ["process.lines('cat', { 'data/large' })", "file.lines('data/large')"])
  func `lines without an end are held as far as there is memory`(call: String) throws {
    let outcome = try outcome(
      of: """
        local all = {}
        for i = 1, 40 do all[i] = \(call) end
        every(0.05, function()
          local ended, refused = 0, 0
          for _, one in ipairs(all) do
            if not one.loading then ended = ended + 1 end
            if one.error then refused = refused + 1 end
          end
          if ended == #all then print(refused > 0) exit() end
        end)
        """)
    #expect(outcome.output == "true\n", "\(outcome.errors)")
    #expect(outcome.peakMemory < Self.budget + Self.margin)
  }
}
