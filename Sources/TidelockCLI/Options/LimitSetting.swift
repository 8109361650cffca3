import ArgumentParser
import TideBindings
import TideScript

/// `--limit timers=1000`: one of the app's budgets.
struct LimitSetting {
  let name: String
  let number: Int

  /// Throws what says why it is none.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts.first.map(String.init) ?? ""
    let names = Runtime.Limits.names
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
