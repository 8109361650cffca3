import Foundation

/// Who decodes a large text of JSON.
enum Decoder { case tidelock, python }

/// Prints the seconds that decoding took, and how long the app stood still at most, in
/// milliseconds.
private let script = """
  local last, longest = os.clock(), 0
  local ticking = every(0.001, function()
    local now = os.clock()
    longest = math.max(longest, now - last)
    last = now
  end)
  spawn(function()
    local text = file.read("data.json")
    sleep(0.05)
    longest, last = 0, os.clock()
    local start = os.clock()
    local values = json.decode(text)
    local taken = os.clock() - start
    longest = math.max(longest, os.clock() - last)
    print(taken, longest * 1000, #values)
    exit()
  end)
  """

private let python = """
  import json, time
  text = open("data.json", encoding="utf-8").read()
  start = time.process_time()
  values = json.loads(text)
  print(time.process_time() - start, 0, len(values), sep="\\t")
  """

/// 100 MB of records, as an interface gives them.
@MainActor
func measureDecoding(_ decoder: Decoder) throws {
  if decoder == .python, !FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") {
    driver.refuse()
  }
  try withFolder { folder in
    let count = 700_000
    var text: [UInt8] = [UInt8(ascii: "[")]
    for number in 0..<count {
      if number > 0 { text += [UInt8(ascii: ",")] }
      text +=
        """
        {"id": \(number), "name": "item \(number % 1000)", "price": \(Double(number % 500) / 4), \
        "tags": ["red", "sweet", "with a \\"quote\\""], "stock": {"here": \(number % 7), "there": null}, \
        "sold": \(number % 2 == 0)}
        """.utf8
    }
    text += [UInt8(ascii: "]")]
    try Data(text).write(to: folder.appending(path: "data.json"))
    try script.write(to: folder.appending(path: "app.lua"), atomically: true, encoding: .utf8)
    let command =
      switch decoder {
      case .tidelock:
        [
          Program.tidelock, "run", "app.lua", "--allow", "read=.", "--memory", "4G",
          "--limit", "value=1000000000",
        ]
      case .python: ["/usr/bin/python3", "-c", python]
      }
    let program = try Program(command, in: folder, onTerminal: false)
    let printed = FileHandle(fileDescriptor: program.output, closeOnDealloc: false)
      .readDataToEndOfFile()
    _ = program.end()
    let words = String(decoding: printed, as: UTF8.self).split { $0.isWhitespace }
      .compactMap { Double($0) }
    guard words.count == 3 else {
      throw Program.Failure(description: String(decoding: printed, as: UTF8.self))
    }
    driver.check(words[2] == Double(count), "all records")
    driver.report("decode", words[0] / (Double(text.count) / 1e8))
    if decoder == .tidelock { driver.report("gap", words[1]) }
  }
}
