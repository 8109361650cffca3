import TideBindings
import TideScript
import Testing

@Suite struct `Searchers of modules` {
  struct Lost: Error, CustomStringConvertible {
    let description = "the line is dead"
  }

  /// What a searcher has been asked for.
  private final class Names { var asked: [String] = [] }

  private let names = Names()
  private let runtime: Runtime

  init() throws {
    runtime = try Runtime(file: "app.lua")
    runtime.register(searcher: { [names] name in
      names.asked.append(name)
      switch name {
      case "shop.rates": return .text("print(...) return { vat = 0.2, of = ... }")
      case "limits": return .value(["pieces": 12])
      case "nothing": return .value(Int?.none)
      case "silent": return .text("local _ = 1")
      case "broken": return .text("local a = 1\nlocal = 2")
      case "raising": return .text("\nerror 'no rates'")
      case "blank": return .text(" ")
      case "compiled": return .text("\u{1b}Lua")
      case "large": return .text(String(repeating: " ", count: 17 << 20))
      case "huge": return .value(UInt64.max)
      case "lost": throw Lost()
      case "refused": throw TideError(.refused, "not today")
      case "loop": return .text("return require 'loop'")
      case "marked": return .text("#!shell\nreturn 7")
      default: return nil
      }
    })
  }

  private func failure(_ name: String) -> TideError? {
    #expect(throws: TideError.self) { try runtime.evaluate("require '\(name)'", as: Value.self) }
  }

  @Test func `give a text, which is run once in the sandbox`() throws {
    let code = "local m = require 'shop.rates' return m == require 'shop.rates' and m.of .. m.vat"
    #expect(try runtime.evaluate(code, as: String.self) == "shop.rates0.2")
    #expect(names.asked == ["shop.rates"])
    #expect(try runtime.evaluate("require 'silent'", as: Bool.self))
    #expect(try runtime.evaluate("require 'marked'", as: Int.self) == 7)
  }

  @Test func `give a value`() throws {
    #expect(try runtime.evaluate("require('limits').pieces", as: Int.self) == 12)
    #expect(try runtime.evaluate("require 'limits' == require 'limits'", as: Bool.self))
    #expect(try runtime.evaluate("require 'nothing'", as: Bool.self))
    let huge = failure("huge")
    #expect(huge?.code == .module)
    #expect(huge?.message.hasPrefix("module \"huge\" does not hold a script value: ") == true)
  }

  @Test func `pass what they do not know on to the next, and to the folder in the end`() throws {
    runtime.register(searcher: { name in name == "late" ? .value(1) : nil })
    runtime.register(searcher: { name in name == "late" ? .value(2) : nil })
    #expect(try runtime.evaluate("require 'late'", as: Int.self) == 1)
    let error = failure("missing")
    #expect(error?.code == .module)
    #expect(
      error?.message.hasPrefix(
        "there is no module \"missing\": no searcher knows it, and neither missing.lua nor ")
        == true)
  }

  @Test func `are not asked for libraries, nor for invalid module names`() throws {
    runtime.register(searcher: { _ in .value(1) })
    #expect(try runtime.evaluate("require 'string' == string", as: Bool.self))
    #expect(try runtime.evaluate("require 'tidelock' == tidelock", as: Bool.self))
    for name in ["..", ".", "", "a..b", "../a", "a/b", "/etc/passwd", "a\\0b", ".a", "a."] {
      let error = failure(name)
      #expect(error?.code == .module)
      #expect(error?.message.contains("invalid module name") == true, "\(name)")
    }
    #expect(failure(String(repeating: "a", count: 5000))?.code == .module)
    #expect(names.asked.isEmpty)
  }

  @Test func `have their errors raised where a script requires, with the module's name`() throws {
    let lost = failure("lost")
    #expect(lost?.code == .module)
    #expect(lost?.message == "the searcher for module \"lost\" failed: the line is dead")
    #expect(lost?.cause is Lost)
    #expect(lost?.location?.line == 1)
    let refused = failure("refused")
    #expect(refused?.code == .refused)
    #expect(refused?.message == "the searcher for module \"refused\" failed: not today")
    #expect(
      try runtime.evaluate("tostring(select(2, pcall(require, 'lost')))", as: String.self)
        .contains("the line is dead"))
    // It is asked again.
    #expect(failure("lost") != nil)
    #expect(names.asked.filter { $0 == "lost" }.count == 3)
  }

  @Test func `have the errors of what they give told with the module's name and the line`() {
    let broken = failure("broken")
    #expect(broken?.code == .scriptSyntax)
    #expect(broken?.location?.file == "<broken>")
    #expect(broken?.location?.line == 2)
    let raising = failure("raising")
    #expect(raising?.location?.file == "<raising>")
    #expect(raising?.location?.line == 2)
    #expect(raising?.message.contains("no rates") == true)
    #expect(failure("blank")?.location?.file == "<blank>")
    #expect(failure("compiled") != nil)
    #expect(failure("large")?.code == .scriptSize)
    #expect(failure("loop")?.message.contains("requires itself") == true)
  }

  @Test func `that require what they are asked for are told so`() throws {
    runtime.register(searcher: { [unowned runtime] name in
      name == "self" ? .value(try runtime.evaluate("require 'self'", as: Int.self)) : nil
    })
    #expect(failure("self")?.message.contains("requires itself, by way of a searcher") == true)
  }

  @Test func `give modules that are no files of the app`() throws {
    try runtime.evaluate("require 'shop.rates'", as: Value.self)
    #expect(runtime.modulePaths == ["app.lua"])
    #expect(runtime.modules["shop.rates"]?.isGiven == true)
    #expect(runtime.watchedPaths == ["app.lua"])
  }
}
