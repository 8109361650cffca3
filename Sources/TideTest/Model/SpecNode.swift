/// What reports know of a file, a block, a hook or a test.
package struct SpecNode: Sendable {
  /// The same for all events of one thing in a run.
  package var id: Int
  /// `file`, `describe`, `it`, `pending`, or the name of a hook.
  package var descriptor: String
  package var name: String?
  /// The names of the blocks around it and its own.
  package var fullName: String
  /// Where it was declared; nil for a file.
  package var trace: SpecTrace?
  package var parent: Int?
  /// The full name of the test that a hook ran for.
  package var test: String?
  /// By which the block around it was shuffled.
  package var seed: Int?
  /// In seconds since 1970.
  package var start = 0.0
  /// In seconds; nil while it runs.
  package var duration: Double?

  package var isTest: Bool { descriptor == "it" }
}
