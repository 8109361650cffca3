import FoundationEssentials
import Glibc
import Testing
import TideBindings
import TideCheck
import TideScript

/// The article "Reference" is generated: `TIDELOCK_RECORD=1` writes it again.
@Suite struct `The reference page` {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/Tidelock/Tidelock.docc/Reference.md").standardized.path

  @Test func `is what the program has`() throws {
    if getenv("TIDELOCK_RECORD") != nil {
      try Data(ReferencePage.text.utf8).write(to: URL(filePath: Self.path))
    }
    let page = try String(contentsOfFile: Self.path, encoding: .utf8)
    #expect(page == ReferencePage.text, "run the tests with TIDELOCK_RECORD=1 to write it anew")
  }

  @Test func `names everything that a runtime defines, and nothing else`() throws {
    let runtime = try Runtime(file: "app.lua")
    let members = try runtime.evaluate(
      """
      local names = {}
      for name, value in pairs(tidelock) do
        names[#names + 1] = name
        if type(value) == "table" and name ~= "arg" then
          for member in pairs(value) do
            if type(member) == "string" then names[#names + 1] = name .. "." .. member end
          end
        end
      end
      return table.concat(names, " ")
      """, as: String.self)
    let defined = Set(members.split(separator: " ").map(String.init))
    #expect(defined.count > 60)
    let described = Set(APICatalogue.names)
    #expect(defined.subtracting(described).isEmpty)
    // This also reads members that tables make only on demand.
    for name in described.subtracting(defined) {
      let isThere = try runtime.evaluate("\(name) ~= nil", as: Bool.self)
      #expect(isThere, "\(name) is described, and is not there")
    }
  }

  @Test func `says how each entry is written and what it does`() {
    for entry in APICatalogue.entries {
      #expect(entry.usage.hasPrefix(entry.name), "\(entry.name)")
      #expect(
        entry.summary.hasSuffix(".") && entry.summary.first?.isUppercase == true, "\(entry.name)")
    }
    #expect(APICatalogue.names.count == Set(APICatalogue.names).count)
  }
}
