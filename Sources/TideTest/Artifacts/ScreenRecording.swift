import TideBindings
import TideGraph
import TideLua
import TideScript
import TideTerminal
import TideViews

/// What one person's screen has shown in a test, and the turns of the person's app.
final class ScreenRecording {
  // Weak, because the runtime's scene refers to what draws on its screen.
  private weak var runtime: Runtime?
  /// The person's name; nil for the spec itself.
  let person: String?
  private var frames = FrameLog()
  private var turns: [Turn] = []
  /// The clock and the latest change when the test began.
  private var start = (time: 0.0, change: UInt64(0))

  /// The end of a turn.
  private struct Turn {
    let time: Double
    /// The act that has begun it; nil for the test itself, timers and tasks.
    let act: String?
    let latestChange: UInt64
    /// Whether an app was made, which writes all of its properties.
    let isMaking: Bool
  }

  private static let mostTurns = 10_000

  /// - Parameter startTime: when the test began; nil for now.
  init(_ runtime: Runtime, of person: String?, since startTime: Double?) {
    self.runtime = runtime
    self.person = person
    runtime.graph.logChanges()
    begin(showing: nil)
    if let startTime { start.time = startTime }
  }

  /// When the test began.
  var startTime: Double { start.time }

  /// Forgets everything, because a test begins.
  ///
  /// - Parameter frame: the shown frame; nil for none.
  func begin(showing frame: Frame?) {
    frames = FrameLog()
    turns.removeAll(keepingCapacity: true)
    start = (runtime?.loop.now() ?? 0, runtime?.graph.latestSequence ?? 0)
    if let frame { frames.add(frame, areas: nil, at: 0) }
  }

  /// The seconds since the test began, on its clock.
  var now: Double { (runtime?.loop.now() ?? start.time) - start.time }

  /// Ends the turn of an act.
  func endTurn(of act: String?, isMaking: Bool = false) {
    guard let latest = runtime?.graph.latestSequence else { return }
    if act == nil, latest == turns.last?.latestChange ?? start.change { return }
    if turns.count < Self.mostTurns {
      turns.append(Turn(time: now, act: act, latestChange: latest, isMaking: isMaking))
    }
  }

  func mark(_ act: String) { frames.mark(act, at: now) }

  /// Adds a frame of the screen.
  func add(_ changes: Changes) {
    frames.add(changes.frame, areas: changes.isWhole ? nil : changes.areas, at: now)
  }

  // MARK: What it has seen

  /// The files of a failed test, by name.
  func files(title: String) -> [(name: String, text: String)] {
    let suffix = person.map { "-" + ArtifactFolder.plain($0) } ?? ""
    var files: [(name: String, text: String)] = []
    if let frame = frames.lastFrame(), let cast = frames.cast(title: title) {
      files.append(("picture\(suffix).svg", frame.svg(title: title)))
      files.append(("picture\(suffix).txt", frame.text + "\n"))
      files.append(("test\(suffix).cast", cast))
    }
    if let runtime, runtime.lua.isOpen {
      let turns = turnLines(runtime)
      if !turns.isEmpty { files.append(("turns\(suffix).txt", turns)) }
    }
    return files
  }

  /// The turns with their root writes.
  private func turnLines(_ runtime: Runtime) -> String {
    endTurn(of: nil)
    let end = runtime.graph.latestSequence
    var first = start.change
    var text = ""
    for turn in turns {
      let writes =
        turn.isMaking
        ? []
        : runtime.bindings.rootWrites(
          after: first, upTo: turn.latestChange, knownUpTo: end,
          isInternal: EmbeddedSource.isEmbedded
        ).filter(Self.isOfScript)
      first = turn.latestChange
      if writes.isEmpty, turn.act == nil { continue }
      text += "\(Seconds.text(turn.time)) s  \(turn.act ?? "the test, or what was due")\n"
      for write in writes { text += "    " + line(write) + "\n" }
    }
    return text
  }

  /// Writes of the program itself have neither a line nor an act.
  private static func isOfScript(_ write: RootWrite) -> Bool {
    write.cause.location != nil || write.cause.act != nil
  }

  private func line(_ write: RootWrite) -> String {
    if let view = write.object as? View, view.isSecret {
      return "\(write.cause.path): the text of a secure field"
    }
    return write.cause.description.escapingControls
  }
}

extension View {
  /// Whether its text is never shown.
  var isSecret: Bool { shape.index(of: "secure") != nil && self[.secure] }
}
