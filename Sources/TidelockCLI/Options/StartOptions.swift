import ArgumentParser
import TideBindings
import TideViews

/// Input for an app at its start.
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

/// `--keys "Tab a b Enter"`: key names separated by blanks.
struct KeyStrokes {
  let keys: [Key]

  /// Throws an error that names the unknown key.
  init(_ text: String) throws {
    do {
      keys = try Key.sequence(text)
    } catch {
      throw ValidationError("\(error.message)")
    }
  }
}

/// `--size 80x24`: columns and rows.
struct PictureSize: ExpressibleByArgument {
  let size: Size

  static let standard = PictureSize(size: Size(width: 80, height: 24))
  /// Larger than any terminal; limited because a picture needs memory for each cell.
  private static let limit = 2000

  private init(size: Size) { self.size = size }

  init?(argument: String) {
    let numbers = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...Self.limit).contains(width), (1...Self.limit).contains(height)
    else { return nil }
    size = Size(width: width, height: height)
  }

  var defaultValueDescription: String { "\(size.width)x\(size.height)" }
}
