import FoundationEssentials
import Testing

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
struct Attack: Sendable, CustomTestStringConvertible {
  enum Outcome: Hashable, Sendable {
    case fine, time, memory, depth, givenUp
    case error(containing: String)
  }

  let name: String
  let source: String
  let expected: [Outcome]
  var testDescription: String { name }

  init(path: String) throws {
    name = URL(filePath: path).deletingPathExtension().lastPathComponent
    source = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let mark = "-- expect: "
    let line = source.split(separator: "\n").first { $0.hasPrefix(mark) }
    expected = try #require(line, "\(name) does not say what to expect")
      .dropFirst(mark.count).split(separator: " or ").map { try Self.outcome(String($0)) }
  }

  private static func outcome(_ text: String) throws -> Outcome {
    switch text {
    case "fine": return .fine
    case "time": return .time
    case "memory": return .memory
    case "depth": return .depth
    case "given up": return .givenUp
    default:
      try #require(text.hasPrefix("error \"") && text.hasSuffix("\"") && text.count > 7, "\(text)")
      return .error(containing: String(text.dropFirst(7).dropLast()))
    }
  }

  /// Whether time may end it, so that it is not worth waiting for long.
  var isTimed: Bool { expected.contains(.time) || expected.contains(.givenUp) }

  /// All attacks of a folder, by name.
  static func all(in folder: String) -> [Attack] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted().compactMap {
      do { return try Attack(path: folder + "/" + $0) } catch {
        Issue.record(error)
        return nil
      }
    }
  }
}
