import TideBindings
import TideREPL

/// The arguments of `tidelock drive`: options, the app's name, and verbs.
struct DriveOptions {
  var isJSON = false
  /// The arguments of the app to start; nil to drive a running one.
  var start: [String]?
  var size: String?
  var file: String?
  var name: String?
  /// Empty if they are read from a file or standard input.
  var commands: [DriveCommand] = []

  /// - Throws: `driveUsage` for an unknown option or verb.
  init(_ words: [String]) throws(TideError) {
    var rest = words[...]
    while let word = rest.first {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard word.hasPrefix("-"), word.count > 1 else {
        if DriveVerb.isVerb(word) || name != nil || start != nil { break }
        name = word
        rest.removeFirst()
        continue
      }
      rest.removeFirst()
      func value() throws(TideError) -> String {
        if parts.count > 1 { return String(parts[1]) }
        guard let value = rest.popFirst() else {
          throw TideError(.driveUsage, "\(word) needs a value")
        }
        return value
      }
      switch parts[0] {
      case "--json": isJSON = true
      case "--start":
        start = try DriveCommand.words(in: value())
        guard ["run", "serve"].contains(start?.first) else {
          throw TideError(.driveUsage, "--start takes run FILE, or serve FILE")
        }
      case "--size": size = try value()
      case "-f", "--file": file = try value()
      default:
        throw TideError(
          .driveUsage,
          "there is no option \(word)"
            + NearestName.hintOrNames(for: word, in: ["--start", "--size", "--json", "-f"]))
      }
    }
    if start != nil, name != nil {
      throw TideError(.driveUsage, "--start and the name of an app exclude each other")
    }
    if let size, PictureSize(argument: size) == nil {
      throw TideError(.driveUsage, "--size is columns x rows, as 80x24, not \"\(size)\"")
    }
    if !rest.isEmpty {
      if file != nil { throw TideError(.driveUsage, "-f and verbs are two sources; choose one") }
      commands = try DriveCommand.commands(in: Array(rest))
      isJSON = isJSON || commands.contains { $0.options["--json"] != nil }
    }
  }
}
