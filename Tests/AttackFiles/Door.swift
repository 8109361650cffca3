import FoundationEssentials

/// A way by which script code is entered. The files in the folder `Doors` describe all of them:
///
/// ```lua
/// --- observer: an observer
/// o = object { n = 0 }
/// observe(o, "n", step)
/// function enter() o.n = o.n + 1 end
/// ```
///
/// The script arranges for `step` to be called through the door. The first call of `step` runs the
/// first attack, the next call the next one, and further calls do no harm. By default a timer
/// enters the door again and again, by calling `enter` if the script defines it.
///
/// These lines change that:
///
/// - `-- keys: Tab, Enter`: the door is entered by keys, the last of them again and again
/// - `-- entered: HOW`: it is entered in one of the other ways of `Entry`
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
    /// By saving new versions of `app.lua` or `part.lua`, each of which calls `step` while it is on
    /// trial.
    case saves(String)
    /// When a version that has registered `step` is replaced.
    case replaces
    /// When a new version of `part.lua` is saved, which does nothing itself.
    case changes
    /// By `--set`, which writes the model `door`.
    case assigned
    /// When the program ends.
    case end
    /// At a prompt, with or without an app, typed or given with -e.
    case prompt(ofApp: Bool, isTyped: Bool)
    /// At the prompt of another program that is attached.
    case attached(isTyped: Bool)
    /// In a spec that is run in the sandbox.
    case spec
    /// By what a viewer does in a page, where all show one app or each has one of its own.
    case page(PageEvent, of: Sharing)
    /// As the main script of an app that is a viewer's own.
    case session(Sharing)
    /// By other apps that write the same shared models.
    case sharing
    /// By somebody who looks into the app: who enters a text, writes a property or reads one.
    case inspector(Look)
    /// As a text that somebody types into an editor that shows the app beside it.
    case preview
    /// By the functions of an embedding program.
    case evaluate, call, coroutine, send

    package enum PageEvent: String, Sendable {
      case press, edit, key, select, value, menu, click
    }

    /// Who shows the same app: all viewers, or each its own, on a thread or in a process.
    package enum Sharing: String, Sendable {
      case all = "page"
      case session, worker
    }

    package enum Look: Sendable {
      case evaluates, writes, reads
    }

    init?(_ text: String) {
      switch text {
      case "main": self = .main
      case "module": self = .module
      case "saves app.lua", "saves part.lua": self = .saves(String(text.dropFirst(6)))
      case "replaces app.lua": self = .replaces
      case "changes part.lua": self = .changes
      case "--set": self = .assigned
      case "at the end": self = .end
      case "repl": self = .prompt(ofApp: false, isTyped: true)
      case "repl -e": self = .prompt(ofApp: false, isTyped: false)
      case "repl app.lua -e": self = .prompt(ofApp: true, isTyped: false)
      case "repl --attach": self = .attached(isTyped: true)
      case "repl --attach -e": self = .attached(isTyped: false)
      case "spec": self = .spec
      case "session main": self = .session(.session)
      case "worker main": self = .session(.worker)
      case "sharing": self = .sharing
      case "inspector": self = .inspector(.evaluates)
      case "inspector write": self = .inspector(.writes)
      case "inspector read": self = .inspector(.reads)
      case "preview": self = .preview
      case "host evaluate": self = .evaluate
      case "host call": self = .call
      case "host coroutine": self = .coroutine
      case "host send": self = .send
      default:
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, let sharing = Sharing(rawValue: words[0]),
          let event = PageEvent(rawValue: words[1])
        else { return nil }
        self = .page(event, of: sharing)
      }
    }
  }

  package let name: String
  package let entry: Entry
  /// Lua that stands between the beginning and the end that all doors share.
  package let script: String
  package var description: String { name }

  /// Whether the program `tidelock` has this door; only embedding programs have the others.
  package var isOfProgram: Bool {
    switch entry {
    case .evaluate, .call, .coroutine, .send: false
    default: true
    }
  }

  /// Whether a runtime has it without the program.
  package var isOfRuntime: Bool {
    switch entry {
    case .prompt, .attached, .spec, .session, .preview, .page(_, of: .session),
      .page(_, of: .worker):
      false
    default: true
    }
  }

  /// Whether it is entered through views, so that an attack that replaces them closes it.
  package var isInViews: Bool {
    switch entry {
    case .keys, .page: true
    // A function of a view is not called any more when others are shown.
    default: script.split(separator: "\n").contains { $0.hasPrefix("show(view.") }
    }
  }

  /// Whether its app has a database.
  package var isInStore: Bool { script.contains("store.open") }

  /// Whether the program serves pages at it.
  package var isServed: Bool {
    switch entry {
    case .page, .session, .sharing: true
    default: false
    }
  }

  /// Whether each viewer has an app of its own, by whose end the program goes on.
  package var isPrivate: Bool {
    switch entry {
    case .page(_, let sharing): sharing != .all
    case .session, .sharing: true
    default: false
    }
  }

  /// Whether its app is in a process of its own.
  package var isInWorker: Bool {
    switch entry {
    case .page(_, of: .worker), .session(.worker): true
    default: false
    }
  }

  /// Reads a description that begins with the name; nil if it is malformed.
  private init?(_ text: Substring) {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard lines.count == 2, let colon = lines[0].firstRange(of: ": ") else { return nil }
    name = String(lines[0][..<colon.lowerBound])
    script = String(lines[1])
    var entry: Entry? = .ticks
    for line in script.split(separator: "\n") where line.hasPrefix("-- ") {
      let words = line.dropFirst(3)
      if words.hasPrefix("entered: ") { entry = Entry(String(words.dropFirst(9))) }
      if words.hasPrefix("keys: ") {
        entry = .keys(words.dropFirst(6).split(separator: ", ").map(String.init))
      }
    }
    guard let entry else { return nil }
    self.entry = entry
  }

  /// All doors, in the order of their descriptions. A malformed one ends the tests, because it
  /// would not be tried otherwise.
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
