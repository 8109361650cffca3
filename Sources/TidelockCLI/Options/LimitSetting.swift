import ArgumentParser
import TideBindings
import TideScript

/// `--limit timers=1000`: one of the app's budgets.
struct LimitSetting {
  let name: String
  let number: Int

  /// Limits for serving, which do not belong to an app.
  static let ofServing = ["viewers", "idle"]

  /// Throws an error that explains why the text is invalid.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts.first.map(String.init) ?? ""
    let names = Runtime.Limits.names + Self.ofServing
    guard names.contains(name) else {
      let near = NearestName.find(name, in: names)
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? "."
      throw ValidationError(
        "There is no limit \"\(name)\"\(hint) There are \(names.joined(separator: ", ")).")
    }
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else {
      throw ValidationError("--limit \(name) needs a number above 0: \(name)=NUMBER.")
    }
    self.number = number
  }
}

/// `--memory 64M`: a number of bytes, of KiB (`K`), MiB (`M`) or GiB (`G`).
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    let unit =
      switch argument.last {
      case "K", "k": 1 << 10
      case "M", "m": 1 << 20
      case "G", "g": 1 << 30
      default: 1
      }
    guard let number = Int(unit == 1 ? argument[...] : argument.dropLast()), number > 0 else {
      return nil
    }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    if isTooLarge { return nil }
    self.bytes = bytes
  }
}

/// A time in seconds: `2`, `0.5`.
struct SecondsValue: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = Double(argument), seconds >= 0, seconds < 1e9 else { return nil }
    self.seconds = seconds
  }
}

/// `--set model.property=value`.
struct Assignment: ExpressibleByArgument {
  let path: String
  let value: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    path = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
  }
}
