import TideSystem

/// The help for a name: its usage, a one-sentence summary, and a small example.
struct HelpTopic: Equatable {
  /// The syntax: `list:append(...)`.
  var usage: String
  /// One sentence.
  var summary: String
  var example: String?

  init(_ usage: String, _ summary: String, example: String? = nil) {
    self.usage = usage
    self.summary = summary
    self.example = example
  }

  var lines: [String] {
    ["\(usage)  \(summary)".escapingControlsInLines]
      + (example.map { ["  for example: \($0)"] } ?? [])
  }
}
