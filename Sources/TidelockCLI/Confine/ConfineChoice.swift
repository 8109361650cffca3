import ArgumentParser

/// The values of `--confine`: whether the kernel confines the process.
enum ConfineChoice: String, CaseIterable, ExpressibleByArgument {
  /// As far as it can.
  case auto
  /// Entirely, or no script is run.
  case required
  case off

  static let help = ArgumentHelp(
    "Whether the kernel confines the program to what --allow opens and what it needs itself. With required, nothing is run unless it can do so entirely.",
    valueName: "how")

  static let testHelp = ArgumentHelp(
    "With --sandbox, whether the kernel confines the program to the project and its reports: auto, required or off (default: auto).",
    valueName: "how")
}
