import ArgumentParser
import TideBindings
import TideViews

/// `--keys "Tab a b Enter"`: the names of keys with blanks between them.
struct KeyStrokes {
  let keys: [Key]

  /// Throws what says which name is no key's.
  init(_ text: String) throws {
    do {
      keys = try Key.sequence(text)
    } catch {
      throw ValidationError("\(error.message)")
    }
  }
}
