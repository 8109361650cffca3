import TideSystem

/// What help tells of a name: how it is written, what it is in a sentence, and a small example.
struct HelpTopic: Equatable {
  /// As a script or a person writes it: `list:append(...)`.
  var usage: String
  /// A sentence.
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
