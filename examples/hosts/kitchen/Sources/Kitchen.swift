import FoundationEssentials
import Glibc
import TideREPL
import TideScript
import Tidelock

/// What the program is about.
final class Oven: DataObject {
  @Property(validate: { (0...280).contains($0) ? .accept : .refuse("an oven has 0 to 280 degrees") }
  )
  var degrees = 20
}

/// A program with a prompt on standard input, which `tidelock repl --attach kitchen` enters as
/// well.
///
/// The app goes on while somebody types: both prompts read and write the same oven.
@main @MainActor struct Kitchen {
  static func main() async throws {
    let oven = Oven()
    let script = CommandLine.arguments.dropFirst().first ?? "app.lua"
    let runtime = try Runtime(app: URL(filePath: script))
    try runtime.register("oven", oven)
    try runtime.load()

    // Without a folder for sockets the program runs all the same; nobody can attach then.
    let server = try? AttachServer(runtime, name: "kitchen", script: runtime.path)
    defer { server?.stop() }
    let prompt = try Prompt(runtime)
    defer { prompt.close() }
    let code = try await runtime.run()
    if code != 0 { exit(code) }
  }
}

/// Reads lines of standard input while the runtime's loop turns, and evaluates each.
@MainActor final class Prompt {
  private let session: Session
  private var watch: DescriptorWatch?
  private var bytes: [UInt8] = []

  init(_ runtime: Runtime) throws {
    session = try Session(runtime)
    session.onOutput = { print($0) }
    watch = try runtime.loop.watch(descriptor: 0, keepsRunning: true) { [unowned self] in read() }
  }

  func close() { watch?.cancel() }

  private func read() {
    var room = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(0, &room, room.count)
    guard count > 0 else { return session.runtime.stop() }
    bytes += room[..<count]
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      evaluate(String(decoding: bytes[..<end], as: UTF8.self))
      bytes.removeSubrange(...end)
    }
  }

  /// The loop cannot wait for a line that sleeps; the session tells when it has ended.
  private func evaluate(_ line: String) {
    session.start(line, isComplete: true) { [unowned self] result in
      switch result {
      case .values(let values): for value in values { print(value) }
      case .failed(let error): print("error: \(error.message)")
      case .quit: session.runtime.stop()
      case .unfinished: break
      }
    }
  }
}
