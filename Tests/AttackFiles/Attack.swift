import FoundationEssentials

/// A script that tries to take more than its share. Its first lines say what must become of it:
///
/// ```lua
/// -- The plain endless loop.
/// -- expect: time
/// while true do end
/// ```
///
/// After `expect:` stands one of these, or several with `or` between them: `fine` when it runs to
/// its end (its own assertions hold), `time`, `memory` and `depth` for the limit that stops it,
/// `error "text"` for another error with that text in it, and `given up` where nothing can stop it
/// and its interpreter is closed.
///
/// A line `-- leaves: nothing` says that afterwards the app has ended, or that a budget is used up
/// for good, so that nobody can tell whether it goes on; `-- leaves: no globals`, that no further
/// script of the app can run; `-- leaves: other views`, that the app shows other views than before.
package struct Attack: Sendable, CustomStringConvertible {
  package enum Outcome: Hashable, Sendable {
    case fine, time, memory, depth, givenUp
    case error(containing: String)

    init?(_ text: String) {
      switch text {
      case "fine": self = .fine
      case "time": self = .time
      case "memory": self = .memory
      case "depth": self = .depth
      case "given up": self = .givenUp
      default:
        guard text.hasPrefix("error \""), text.hasSuffix("\""), text.count > 7 else { return nil }
        self = .error(containing: String(text.dropFirst(7).dropLast()))
      }
    }

    /// Whether what became of a script is what this expects.
    package func covers(_ outcome: Outcome) -> Bool {
      if case (.error(let text), .error(let message)) = (self, outcome) {
        return text.isEmpty || message.contains(text)
      }
      return self == outcome
    }
  }

  package let name: String
  package let path: String
  package let source: String
  package let expected: [Outcome]
  package let leavesNothing: Bool
  package let leavesNoGlobals: Bool
  package let leavesOtherViews: Bool
  package var description: String { name }

  /// Reads a script; one that does not say what to expect expects nothing, and so fails.
  init(path: String) throws {
    self.path = path
    name = URL(filePath: path).deletingPathExtension().lastPathComponent
    source = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let mark = "-- expect: "
    let line = source.split(separator: "\n").first { $0.hasPrefix(mark) } ?? ""
    expected = line.dropFirst(mark.count).split(separator: " or ").compactMap {
      Outcome(String($0))
    }
    leavesNothing = source.contains("\n-- leaves: nothing\n")
    leavesNoGlobals = source.contains("\n-- leaves: no globals\n")
    leavesOtherViews = source.contains("\n-- leaves: other views\n")
  }

  /// What may become of it besides: an operation on all of a script's memory may be under way when
  /// the time ends, and is then not waited for.
  package var allowed: [Outcome] {
    expected.contains(.time) && expected.contains(.memory) ? expected + [.givenUp] : expected
  }

  /// Whether time may end it, so that it is not worth waiting for long.
  package var isTimed: Bool { expected.contains(.time) || expected.contains(.givenUp) }

  /// Whether it opens a database.
  package var isInStore: Bool { source.contains("store.open") }

  /// The attacks of a folder, by name.
  package static func all(in folder: String) -> [Attack] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted().compactMap {
      try? Attack(path: folder + "/" + $0)
    }
  }
}
