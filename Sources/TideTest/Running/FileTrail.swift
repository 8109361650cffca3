import TideGraph
import TideValues

/// Which files each spec file has loaded, so that who watches them knows what a save reaches.
package final class FileTrail: Sendable {
  private let loaded = Guarded<[String: Set<String>]>([:])

  package init() {}

  /// Notes what a spec file has loaded; what it loaded when it last ran is forgotten.
  func set(_ files: Set<String>, of spec: String) { loaded.withLock { $0[spec] = files } }

  /// All that specs loaded, those themselves left out.
  package var files: Set<String> {
    loaded.withLock { loaded in loaded.values.reduce(into: []) { $0.formUnion($1) } }
  }

  /// The spec files that are among these, or have loaded one of them.
  package func specs(reachedBy files: Set<String>) -> Set<String> {
    loaded.withLock { loaded in
      Set(loaded.filter { files.contains($0.key) || !$0.value.isDisjoint(with: files) }.keys)
    }
  }
}
