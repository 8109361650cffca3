import ArgumentParser

/// A time in seconds: `2`, `0.5`.
struct SecondsValue: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = Double(argument), seconds >= 0, seconds < 1e9 else { return nil }
    self.seconds = seconds
  }
}
