import FoundationEssentials
import Testing

@testable import TideTest

/// What the report `json` says of tests, beside what busted's says; kept in `Golden`. Busted writes
/// none for specs with pending tests or errors that are tables, which its encoder refuses.
@Suite struct `Reports as JSON` {
  private struct Outcome: Decodable, Equatable {
    var successes, pendings, failures, errors: [Entry]

    /// What is the same in each run.
    struct Entry: Decodable, Equatable {
      var name: String
      var message: String?
      var isError: Bool?
      var trace: Trace?
      var element: Element

      enum CodingKeys: String, CodingKey { case name, message, isError, trace, element }

      init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        message = try members.decodeIfPresent(String.self, forKey: .message)
        isError = try members.decodeIfPresent(Bool.self, forKey: .isError)
        // One without a place is an empty list.
        trace = try? members.decode(Trace.self, forKey: .trace)
        element = try members.decode(Element.self, forKey: .element)
      }
    }

    struct Trace: Decodable, Equatable {
      var source, short_src, what: String
      var currentline: Int
    }

    struct Element: Decodable, Equatable {
      var descriptor: String
      var name: String?
    }

    init(_ text: String) throws {
      let lines = text.split(separator: "\n")
      let line = try #require(lines.last { $0.contains("{\"") })
      let object = line[(line.firstRange(of: "{\"")?.lowerBound ?? line.startIndex)...]
      let steady = object.replacing(/0x[0-9a-f]+/, with: "0x…")
      self = try JSONDecoder().decode(Outcome.self, from: Data(steady.utf8))
    }
  }

  @Test(arguments: ["errors", "environment", "grammar", "shuffle", "broken"])
  func `say what busted's say`(_ name: String) throws {
    let folder = `Specs of busted`.folder
    func read(_ file: String) throws -> String {
      try String(contentsOf: URL(filePath: "\(folder)/\(file)"), encoding: .utf8)
    }
    let scratch = try SpecFolder()
    let spec = try scratch.write("Specs/\(name)_spec.lua", try read("Specs/\(name)_spec.lua"))
    let result = try scratch.run("json") { $0.roots = [spec] }
    #expect(try Outcome(result.text) == Outcome(try read("Golden/\(name)-json.txt")))
  }
}
