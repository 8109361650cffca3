import ArgumentParser

/// What an app is given at its start.
struct StartOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a property before the app is shown (may be repeated).",
      valueName: "model.property=value"))
  var assignments: [Assignment] = []

  @Option(
    help: ArgumentHelp("Press keys once the app is shown.", valueName: "keys"),
    transform: KeyStrokes.init)
  var keys: KeyStrokes?
}
