import FoundationEssentials
import Glibc
import Observation
import TideViews
import Tidelock

/// A room and what heats it; a class as any other program has it.
@Observable final class Room {
  var measured = 18
  var target = 20
  var isHeating: Bool { measured < target }

  func wait() {
    if isHeating { measured += 1 } else if measured > target { measured -= 1 }
  }
}

/// Shows a room by a script: in the terminal, or as text where there is none.
@main @MainActor struct Thermostat {
  static func main() async throws {
    let room = Room()
    let script = CommandLine.arguments.dropFirst().first ?? "app.lua"
    let runtime = try Runtime(app: URL(filePath: script))
    let observed = ObservedModel(
      room, .readOnly("measured", \.measured), .property("target", \.target),
      .readOnly("isHeating", \.isHeating))
    try runtime.register("room", observed)
    try runtime.load()
    guard isatty(1) != 0 else { return try show(room, runtime) }

    let reloader = Reloader(runtime)
    reloader.start()
    defer { reloader.stop() }
    runtime.loop.after(1, repeating: true) { room.wait() }
    let code = try await runtime.run(TerminalRenderer())
    if code != 0 { exit(code) }
  }

  /// Presses keys and lets time pass, and prints what a person would see.
  private static func show(_ room: Room, _ runtime: Runtime) throws {
    guard let scene = runtime.scene else { return }
    let screen = TextRenderer(size: Size(width: 30, height: 4))
    try scene.mount(screen)
    for key in ["Tab", "+", ""] {
      if !key.isEmpty { scene.send(.key(try Key(key))) }
      room.wait()
      runtime.settle()
      try scene.commit()
      print(screen.text)
    }
  }
}
