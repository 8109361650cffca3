import ArgumentParser

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
