import FoundationEssentials

/// A way by which script code is entered. The files of the folder `Doors` describe them, one after
/// the other:
///
/// ```lua
/// --- observer: an observer
/// o = object { n = 0 }
/// observe(o, "n", step)
/// function enter() o.n = o.n + 1 end
/// ```
///
/// The script arranges for `step` to be called through the door. `step` runs the first attack when
/// it is called first, then the next one, and then nothing that does harm. Without further words
/// the door is entered again and again by a timer that calls `enter`, where the script defines it.
///
/// Lines that begin so say what differs:
///
/// - `-- keys: Tab, Enter`: by a person's keys, the last of them again and again
/// - `-- entered: HOW`: by one of the other ways of `Entry`
/// - `-- waits: yes`: one may wait there
///
/// What the script keeps must be in globals, which belong to the door alone: bindings hold their
/// ends weakly.
package struct Door: Sendable, CustomStringConvertible {
  /// How a door is entered.
  package enum Entry: Hashable, Sendable {
    /// By a timer that calls `enter`.
    case ticks
    /// By keys, with the first ones pressed once and the last one again and again.
    case keys([String])
    /// As the main script, and as a module that is required.
    case main, module
    /// By saving `app.lua` or `part.lua` anew, whose each version calls `step` while it is tried.
    case saves(String)
    /// When a version goes that had registered `step`.
    case replaces
    /// When `part.lua` is saved anew, which does nothing itself.
    case changes
    /// When the program ends.
    case end
    /// At a prompt, of an app or of nothing, typed or given with -e.
    case prompt(ofApp: Bool, isTyped: Bool)
    /// At the prompt of another program that is attached.
    case attached(isTyped: Bool)
    /// In a spec that is run in the sandbox.
    case spec
    /// By the functions of an embedding program.
    case evaluate, call, coroutine, send

    init?(_ text: String) {
      switch text {
      case "main": self = .main
      case "module": self = .module
      case "saves app.lua", "saves part.lua": self = .saves(String(text.dropFirst(6)))
      case "replaces app.lua": self = .replaces
      case "changes part.lua": self = .changes
      case "at the end": self = .end
      case "repl": self = .prompt(ofApp: false, isTyped: true)
      case "repl -e": self = .prompt(ofApp: false, isTyped: false)
      case "repl app.lua -e": self = .prompt(ofApp: true, isTyped: false)
      case "repl --attach": self = .attached(isTyped: true)
      case "repl --attach -e": self = .attached(isTyped: false)
      case "spec": self = .spec
      case "host evaluate": self = .evaluate
      case "host call": self = .call
      case "host coroutine": self = .coroutine
      case "host send": self = .send
      default: return nil
      }
    }
  }

  package let name: String
  package let summary: String
  package let entry: Entry
  package let mayWait: Bool
  /// What is put between the beginning and the end that all doors have.
  package let script: String
  package var description: String { name }

  /// Whether the program `tidelock` has this door; the others are an embedding program's.
  package var isOfProgram: Bool {
    switch entry {
    case .evaluate, .call, .coroutine, .send: false
    default: true
    }
  }

  /// Whether a runtime has it without the program.
  package var isOfRuntime: Bool {
    switch entry {
    case .prompt, .attached, .spec: false
    default: true
    }
  }

  /// Reads a description, from the name on; nil when it is none.
  private init?(_ text: Substring) {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard lines.count == 2, let colon = lines[0].firstRange(of: ": ") else { return nil }
    name = String(lines[0][..<colon.lowerBound])
    summary = String(lines[0][colon.upperBound...])
    script = String(lines[1])
    var entry: Entry? = .ticks
    var mayWait = false
    for line in script.split(separator: "\n") where line.hasPrefix("-- ") {
      let words = line.dropFirst(3)
      if words.hasPrefix("entered: ") { entry = Entry(String(words.dropFirst(9))) }
      if words.hasPrefix("keys: ") {
        entry = .keys(words.dropFirst(6).split(separator: ", ").map(String.init))
      }
      if words == "waits: yes" { mayWait = true }
    }
    guard let entry else { return nil }
    self.entry = entry
    self.mayWait = mayWait
  }

  /// All doors, in the order of their descriptions. One that cannot be read ends the tests, because
  /// it would not be tried.
  package static let all: [Door] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Doors").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted().flatMap { file -> [Door] in
      let text =
        (try? String(contentsOf: URL(filePath: folder + "/" + file), encoding: .utf8)) ?? ""
      return ("\n" + text).split(separator: "\n--- ").map { part in
        guard let door = Door(part) else { preconditionFailure("\(file): no door: \(part)") }
        return door
      }
    }
  }()
}
