import TideBindings
import TideLua
import TideScript
import TideSystem
import TideViews

/// An app of another person's, as `serve --sessions private` gives each their own: an interpreter,
/// models and a screen apart from those of the spec, and the same shared models.
///
/// Its clock stands where that of the spec does, whenever somebody does something.
final class SpecSession {
  let name: String
  let runtime: Runtime
  private let clock: VirtualClock
  /// What was listed, also of what is told once and kept nowhere.
  private var listed: [TideError] = []
  private(set) lazy var screen = SpecScreen(runtime, of: name)

  init(
    _ name: String, _ file: String, _ configuration: Runtime.Configuration, _ clock: VirtualClock
  ) throws {
    self.name = name
    self.clock = clock
    var configuration = configuration
    configuration.clock = clock
    runtime = try Runtime(file: file, configuration: configuration)
    runtime.onError = { [unowned self] in listed.append($0) }
  }

  /// Runs the app's script and shows it.
  ///
  /// - Throws: what the script raises, and `unknownView` where it shows nothing.
  func begin(_ size: Size?) throws {
    try runtime.load()
    runtime.scene?.resize(size ?? SpecScreen.size)
    try screen.draw()
    if screen.isShowing { return }
    throw TideError(
      .unknownView, "\(runtime.path) shows no view: return one, or call show(view)")
  }

  /// Moves its clock to a moment of the spec's.
  func follow(to moment: Double) {
    let behind = moment - runtime.loop.now()
    if behind > 0 { runtime.loop.advance(by: behind) }
    // The sum may have been rounded.
    clock.skip(to: moment)
  }

  /// What is wrong in the app, and what a handler has raised since it began.
  var errors: [TideError] {
    let present = runtime.errors
    let known = Set(present.map { "\($0)" })
    return present + listed.filter { $0.path == nil && !known.contains("\($0)") }
  }

  /// What an expression of its scripts gives, as JSON; nil for nil.
  func value(of expression: String) throws -> String? {
    let chunk = """
      local value = (\(expression)
      )
      if value ~= nil then return tidelock.json.encode(value) end
      """
    guard case .string(let text) = try runtime.evaluate(chunk, as: Value.self) else { return nil }
    return text
  }

  /// Ends the app; what it has written in shared models has reached the others.
  func close() {
    screen.close()
    runtime.end()
  }
}
