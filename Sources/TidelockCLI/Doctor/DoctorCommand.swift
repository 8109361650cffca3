import ArgumentParser
import TideScript

/// `tidelock doctor`: shows the capabilities of this machine.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Shows what this machine gives to apps, with advice.",
    discussion: """
      The terminal and its colours, how files can be watched, how far the kernel can confine \
      scripts, the limits of memory and files, and the interpreter. What could be better has a line \
      of advice.

      Examples:
        tidelock doctor
        tidelock doctor --json

      Exit code: 0, whatever it finds.
      """)

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Print an object a line.")
  var json = false

  func run() {
    let traits =
      Machine.terminal() + Machine.watching() + Machine.confinement()
      + Machine.limits() + Machine.interpreter()
    let width = traits.map(\.name.count).max() ?? 0
    let output = StandardOutput()
    for trait in traits {
      output.writeLine(
        json ? trait.json : trait.text(nameWidth: width, isColored: color.outputStyle.isColored))
    }
  }
}
