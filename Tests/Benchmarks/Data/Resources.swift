import Foundation
import Tidelock

/// Answers each request with a few bytes, and keeps connections open.
private let server = """
  import asyncio

  answer = b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 12\\r\\n\\r\\n{\\"load\\": 42}"

  async def serve(reader, writer):
      try:
          while True:
              await reader.readuntil(b"\\r\\n\\r\\n")
              writer.write(answer)
      except (asyncio.IncompleteReadError, ConnectionError):
          writer.close()

  async def main():
      listener = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=2000)
      print(listener.sockets[0].getsockname()[1], flush=True)
      await listener.serve_forever()

  asyncio.run(main())
  """

/// A thousand resources, each of which asks the server once a second.
private func script(_ port: Int) -> String {
  """
  answers = 0
  for i = 1, 1000 do
    resource(function()
      local value = http.get("http://127.0.0.1:\(port)/" .. i).json
      answers = answers + 1
      return value
    end, { every = 1 })
  end
  """
}

private func time(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A thousand resources that poll a server of this machine each second, turn by turn. A turn's
/// length is the processor's time, to which waiting and other programs add nothing.
@MainActor
func measureResources() throws {
  guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { driver.refuse() }
  try withFolder { folder in
    let listener = try Program(["/usr/bin/python3", "-c", server], in: folder, onTerminal: false)
    defer { _ = listener.end(by: SIGKILL) }
    var digits = [UInt8](repeating: 0, count: 16)
    let count = read(listener.output, &digits, digits.count)
    let text = String(decoding: digits.prefix(max(0, count)), as: UTF8.self)
    guard let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Program.Failure(description: "the server does not start")
    }
    let file = folder.appending(path: "app.lua")
    try script(port).write(to: file, atomically: true, encoding: .utf8)
    var configuration = Runtime.Configuration()
    configuration.lua.access.network = [try LuaAccess.Host("127.0.0.1:\(port)")]
    let runtime = try Runtime(path: file.path, configuration: configuration)
    try runtime.load()
    /// Turns for some seconds: the longest of them, in milliseconds.
    func turn(for seconds: Double) -> Double {
      let end = secondsNow() + seconds
      var longest = 0.0
      while secondsNow() < end {
        let start = time(CLOCK_THREAD_CPUTIME_ID)
        runtime.loop.turn(timeout: 0.05)
        longest = max(longest, time(CLOCK_THREAD_CPUTIME_ID) - start)
      }
      return longest * 1000
    }
    _ = turn(for: 2)
    let seconds = 6.0, before = time(CLOCK_PROCESS_CPUTIME_ID)
    let earlier = try runtime.evaluate("answers", as: Int.self)
    driver.report("turn", turn(for: seconds))
    driver.report("share", (time(CLOCK_PROCESS_CPUTIME_ID) - before) / seconds * 100)
    let answers = try runtime.evaluate("answers", as: Int.self) - earlier
    driver.report("answers", Double(answers) / seconds)
  }
}
