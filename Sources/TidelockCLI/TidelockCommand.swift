import ArgumentParser

/// The command `tidelock`: all that it does are its subcommands.
struct TidelockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tidelock",
    abstract: "Runs apps whose models, views and bindings are Lua scripts.",
    discussion: """
      Example:
        tidelock run app.lua
      """,
    version: "0.1.0",
    subcommands: [
      RunCommand.self, ReplCommand.self, TestCommand.self, WhyCommand.self,
      CheckCommand.self, NewCommand.self, TypesCommand.self, DoctorCommand.self,
    ])
}
