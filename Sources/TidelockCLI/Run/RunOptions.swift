import ArgumentParser
import TideScript

/// The options of `run`, apart from the file.
struct RunOptions: ParsableArguments {
  @Flag(help: "Print what the app looks like after the first settle and all due work, and end.")
  var snapshot = false

  @Option(
    name: .customLong("snapshot-svg"),
    help: ArgumentHelp(
      "Write what the app looks like then as an SVG picture, and end; - for standard output.",
      valueName: "file"), completion: .file(extensions: ["svg"]))
  var snapshotSVG: String?

  /// The prefix of a line with the preview data for a language server.
  @Option(name: .customLong("snapshot-preview"), help: .hidden)
  var snapshotPreview: String?

  /// The descriptor to write to once the app is shown. The app runs without a terminal until
  /// somebody ends it.
  @Option(help: .hidden)
  var driven: Int32?

  @Option(
    help: ArgumentHelp(
      "The size of the picture without a terminal.", valueName: "columnsxrows"))
  var size = PictureSize.standard

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("End the app after so much time.", valueName: "seconds"))
  var duration: SecondsValue?

  @Flag(
    inversion: .prefixedNo,
    help: "Reload the app when one of its files is saved (default: on a terminal).")
  var watch: Bool?

  @OptionGroup var start: StartOptions

  @OptionGroup var runtime: RuntimeOptions

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Report errors, reloads, logs and the snapshot as JSON, one object a line.")
  var json = false

  @Argument(parsing: .postTerminator, help: "After --: the script's arg.")
  var arguments: [String] = []

  /// Whether the run ends after its picture is taken.
  var endsWithPicture: Bool { snapshot || snapshotSVG != nil || snapshotPreview != nil }

  mutating func validate() throws {
    if endsWithPicture && watch == true {
      throw ValidationError("--snapshot ends at once, so there is nothing to --watch.")
    }
    if snapshotSVG?.isEmpty == true {
      throw ValidationError("--snapshot-svg needs the name of a file, or - for standard output.")
    }
  }
}
