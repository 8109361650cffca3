import TideBindings
import TideLua
import TideScript
import TideSystem
import TideViews

/// Another person's app, as with `serve --sessions private`: its own interpreter, models and
/// screen, but the same shared models as the spec. `viewer` has the person's name.
///
/// Its clock follows the spec's clock at each action.
final class SpecSession {
  let name: String
  let runtime: Runtime
  private let clock: VirtualClock
  private let recording: TestRecording?
  private(set) lazy var screen = SpecScreen(runtime, of: name, recording: recording)

  init(
    _ name: String, _ file: String, _ configuration: Runtime.Configuration, _ clock: VirtualClock,
    recording: TestRecording?
  ) throws {
    self.name = name
    self.recording = recording
    self.clock = clock
    var configuration = configuration
    configuration.clock = clock
    let configured = configuration
    runtime = try SessionOwner.$current.withValue(.person(name)) {
      try Runtime(file: file, configuration: configured)
    }
    runtime.viewer = Viewer(name: name)
  }

  /// Runs the app's script and shows its view.
  ///
  /// - Throws: the script's errors, and `unknownView` if the script shows no view.
  func begin(_ size: Size?) throws {
    try runtime.load()
    runtime.scene?.resize(size ?? SpecScreen.size)
    try screen.draw()
    if screen.isShowing { return }
    throw TideError(
      .unknownView, "\(runtime.path) shows no view: return one, or call show(view)")
  }

  /// Advances the session's clock to a time of the spec's clock.
  func follow(to moment: Double) {
    let behind = moment - runtime.loop.now()
    if behind > 0 { runtime.loop.advance(by: behind) }
    // Corrects the rounding of the sum.
    clock.skip(to: moment)
  }

  /// The app's current errors.
  var errors: [TideError] { runtime.errors }

  /// Evaluates an expression in the session and returns JSON; nil for nil.
  func value(of expression: String) throws -> String? {
    let chunk = """
      local value = (\(expression)
      )
      if value ~= nil then return tidelock.json.encode(value) end
      """
    guard case .string(let text) = try runtime.evaluate(chunk, as: Value.self) else { return nil }
    return text
  }

  /// Ends the app. Its writes to shared models have already been delivered.
  ///
  /// - Returns: a copy of its databases, for the person's next session.
  func close() throws -> AnyObject? {
    let databases = runtime.openDatabases
    screen.close()
    runtime.end()
    return try runtime.copyDatabases(databases)
  }
}
