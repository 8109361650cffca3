import TestFolders
import AttackFiles
import Testing

/// What a project brings to `tidelock test --sandbox`: its configuration, reports, helpers and
/// specs.
///
/// Each attack is a file that is put into a project, with a folder `outside` beside it. Its first
/// lines say where it goes, with which arguments the specs run, and what the program must print.
@Suite struct `What a project brings to its sandboxed tests` {
  private static let attacks = ProjectAttack.all(
    in: #filePath.replacing("TidelockCLITests/Test/ProjectAttackTests.swift", with: "")
      + "TideTestTests/Attacks/project")

  @Test(arguments: attacks)
  private func `neither leaves the sandbox nor runs for ever`(attack: ProjectAttack) throws {
    let folder = try ScratchFolder()
    for name in ["app", "app/spec", "app/src", "app/src/busted", "app/src/busted/languages"] {
      folder.makeFolder(name)
    }
    folder.makeFolder("outside")
    folder.write("error 'the secret is seaweed'", to: "outside/secret.lua")
    folder.write("print 'seaweed'", to: "outside/secret_spec.lua")
    folder.link("app/linked.lua", to: "../outside/secret.lua")
    folder.link("app/dead.lua", to: "../outside/nothing.lua")
    folder.link("app/folder", to: "../outside")
    folder.write("it('passes', function() end)", to: "app/spec/first_spec.lua")
    folder.write(attack.source, to: "app/" + attack.file)
    for (name, target) in attack.links { folder.link("app/" + name, to: target) }

    let outcome = try Program.run(
      ["test", "--sandbox", "-C", "app"] + attack.arguments, in: folder)
    let text = outcome.output + outcome.errors
    guard case .exited(let code) = outcome.status, [0, 1].contains(code) else {
      Issue.record("\(outcome.status): \(text.suffix(2000))")
      return
    }
    #expect(!attack.expected.isEmpty)
    for expected in attack.expected {
      #expect(text.contains(expected), "\(text.prefix(4000))")
    }
    #expect(folder.entries(of: "outside") == ["secret.lua", "secret_spec.lua"])
    #expect(!text.contains("seaweed"), "\(text.prefix(4000))")
  }
}

/// A file of an attack, and what its first lines say.
private struct ProjectAttack: Sendable, CustomTestStringConvertible {
  let name: String
  let source: String
  private(set) var file = ""
  private(set) var arguments: [String] = []
  private(set) var links: [(String, String)] = []
  /// Texts that the program must print.
  private(set) var expected: [String] = []

  var testDescription: String { name }

  init(_ attack: Attack) {
    name = attack.name
    source = attack.source
    for line in source.split(separator: "\n").prefix(while: { $0.hasPrefix("--") }) {
      let parts = line.dropFirst(3).split(separator: ": ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      let words = parts[1].split(separator: " ").map(String.init)
      switch parts[0] {
      case "file": file = parts[1]
      case "arguments": arguments = words
      case "link" where words.count == 2: links.append((words[0], words[1]))
      case "expect": expected.append(parts[1])
      default: break
      }
    }
  }

  static func all(in folder: String) -> [ProjectAttack] {
    Attack.all(in: folder).map(ProjectAttack.init)
  }
}
