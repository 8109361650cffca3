import ArgumentParser

/// `--confine auto`: whether the kernel confines the process.
enum ConfineChoice: String, CaseIterable, ExpressibleByArgument {
  /// As far as it can.
  case auto
  /// As a whole, or nothing is run.
  case required
  case off

  static let help = ArgumentHelp(
    "Whether the kernel keeps the program from everything but what --allow opens and it needs itself: as far as it can, as a whole or not at all (default: auto).",
    valueName: "how")

  static let testHelp = ArgumentHelp(
    "With --sandbox, whether the kernel keeps the program from everything but the project and its reports: auto, required or off (default: auto).",
    valueName: "how")
}
