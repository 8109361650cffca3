package import TideBindings
import TideLua
import TideValues

/// Finds the exact location of an error of which the interpreter knows only the line.
///
/// A program that can check scripts sets it, so that running and checking an app report a mistake
/// with the same code at the same place.
package enum ErrorLocator {
  package typealias Found = (code: TideError.Code, location: SourceLocation)
  package typealias Search = @Sendable (TideError) -> Found?

  private static let search = Guarded<Search?>(nil)

  /// Sets the search for the whole process. It is called on the thread that describes the error.
  package static func use(_ search: @escaping Search) { self.search.withLock { $0 = search } }

  /// What was found; nil if the error has no location, a column already, or is not a script's.
  static func find(_ error: TideError) -> Found? {
    guard let location = error.location, location.column == nil,
      ReadSources.contains(location.file)
    else { return nil }
    guard let search = search.withLock({ $0 }) else { return nil }
    return LuaState.outsideOfTurns { search(error) }
  }
}
