import FoundationEssentials

/// The cases that fuzzers found, which every run of the suite replays.
enum Corpus {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus")
}
