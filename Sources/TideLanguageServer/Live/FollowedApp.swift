import TideREPL
import TideSystem
import TideValues

/// An app of the workspace that may be running.
struct FollowedApp: Equatable, Sendable {
  /// Its main script.
  let script: String
  /// Its open files.
  var files: Set<String>
  /// The paths whose values are wanted.
  var paths: [String]
}
