import FoundationEssentials
import TideBindings
import TideGraph
import TideScript
import Testing

/// The behaviour cases of the libraries that Tidelock learned from: short scripts that carry their
/// own assertions. A case is `case("K1 what it says", function() … end)` in a file of this folder.
@Suite struct `Behaviour cases` {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    let name: String
    var testDescription: String { name }
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Cases").path

  static let all: [Case] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted().flatMap { file -> [Case] in
      let text =
        (try? String(contentsOf: URL(filePath: folder + "/" + file), encoding: .utf8)) ?? ""
      return text.split(separator: "\n").compactMap { line in
        guard line.hasPrefix("case(\""), let end = line.dropFirst(6).firstIndex(of: "\"") else {
          return nil
        }
        return Case(file: file, name: String(line.dropFirst(6)[..<end]))
      }
    }
  }()

  @Test func `there are cases`() {
    #expect(Self.all.count > 40)
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
  }

  @Test(arguments: Self.all)
  func `holds`(_ example: Case) throws {
    // A busy machine may take its time.
    let runtime = try Runtime(
      path: Self.folder + "/" + example.file, configuration: .init(turn: .seconds(60)))
    try runtime.evaluate(Self.prelude)
    try runtime.evaluate("wanted = \(TransformCall.quoted(example.name))")
    try runtime.load()
    #expect(try runtime.evaluate("ran") == true, "the case did not run")
  }

  /// What cases are written with.
  static let prelude = """
    function case(name, body)
      if name == wanted then
        body()
        ran = true
      end
    end
    function same(actual, expected)
      if actual ~= expected then
        error(("expected %s, got %s"):format(tostring(expected), tostring(actual)), 2)
      end
    end
    function fails(pattern, fn, ...)
      local ok, message = pcall(fn, ...)
      if ok then error("expected an error with " .. pattern, 2) end
      message = tostring(message)
      if not message:find(pattern, 1, true) then
        error(("expected an error with %q, got %q"):format(pattern, message), 2)
      end
    end
    """
}
