import TideScript
import TideTerminal
import TideViews

/// What the running test has seen and done, for the case that it fails.
final class TestRecording {
  private let folder: ArtifactFolder
  private var screens: [ScreenRecording] = []
  /// The acts as lines, with the time on the test's clock.
  private var acts: [String] = []
  private(set) var lastAct: String?

  private static let mostActs = 100_000

  init(_ folder: ArtifactFolder) { self.folder = folder }

  /// A renderer that records what a person's screen shows.
  func recorder(
    of runtime: Runtime, _ person: String?, showing renderer: any Renderer
  ) -> any Renderer {
    let screen = ScreenRecording(runtime, of: person, since: screens.first?.startTime)
    screens.append(screen)
    return ObservedRenderer(renderer) { screen.add($0) }
  }

  /// Forgets the test before, and other people's screens.
  ///
  /// - Parameter frame: what the spec's own screen shows.
  func begin(showing frame: Frame?) {
    screens.removeAll { $0.person != nil }
    acts.removeAll(keepingCapacity: true)
    lastAct = nil
    for screen in screens { screen.begin(showing: frame) }
  }

  /// Records an act of a person, and calls the function that performs it.
  func acting<Result>(
    _ act: String, of person: String?, _ body: () throws -> Result
  ) rethrows -> Result {
    let own = screens.first
    let screen = screens.last { $0.person == person } ?? own
    if acts.count < Self.mostActs {
      acts.append("\(Seconds.text(own?.now ?? 0)) s  \(act)\n")
    }
    lastAct = act
    screen?.endTurn(of: nil)
    screen?.mark(act)
    let isMaking = ["ui.mount(", "ui.session("].contains(where: act.hasPrefix)
    defer { screens.last { $0.person == person }?.endTurn(of: act, isMaking: isMaking) }
    return try body()
  }

  /// Ends the making of an app, whose file has begun it.
  func endMaking() { screens.first?.endTurn(of: nil, isMaking: true) }

  /// Writes what a failed test has seen. Returns the paths of the files.
  ///
  func write(_ test: FailedTest) throws(TestSetupError) -> [String] {
    var files = screens.flatMap { $0.files(title: test.name) }
    if !acts.isEmpty { files.append(("acts.txt", acts.joined())) }
    if !test.errors.isEmpty {
      files.append(("errors.txt", test.errors.joined(separator: "\n") + "\n"))
    }
    return try folder.write(files, of: test)
  }
}

/// A failed test, for the folder that shows what it saw.
struct FailedTest {
  /// The path of its spec file.
  let file: String
  let name: String
  let line: Int?
  let message: String?
  /// The errors that were listed while it ran.
  let errors: [String]
}
