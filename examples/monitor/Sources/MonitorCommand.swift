import ArgumentParser
import FoundationEssentials
import Tidelock

@main
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Shows this machine's figures, live, through bindings written in Lua.")

  mutating func run() throws {
    let source: any MachineSource = .live
    let machine = Machine(units: source.units)
    machine.take(source.sample())
  }
}
