import TideSystem
import ArgumentParser
import TideBindings
import TideCheck
import TideScript
import TideTest

/// `tidelock types`: prints type definitions of the API and of an app for editors.
struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Prints definitions of the Lua API for editors.",
    discussion: """
      They are LuaCATS annotations for lua-language-server: every name of the API, the view classes \
      with their properties and events and, of the scripts that are named, the models, components \
      and ids of views that they write out.

      Examples:
        tidelock types > tidelock.lua
        tidelock types . > .tidelock/types.lua

      Exit codes: 0 fine, 64 usage, 65 a script has an error, 66 no such file, 70 a fault of \
      tidelock's.
      """)

  @Argument(help: "Scripts of the app, or folders with scripts.", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Print one JSON object with the text, and report errors as JSON.")
  var json = false

  func run() throws {
    let reporter = Reporter(style: color.style, isJSON: json, file: paths.first ?? "tidelock")
    Interrupts.endProgram()
    do {
      let text = try TypeDefinitions(app: paths, specs: .tidelock).text
      let output = StandardOutput()
      if json {
        var object = JSONLine()
        object.add("types", text)
        output.writeLine(object.text)
      } else {
        output.writeLine(text.hasSuffix("\n") ? String(text.dropLast()) : text)
      }
    } catch {
      reporter.report(error)
      throw ExitCode(ExitStatus(loading: error).code)
    }
  }
}
