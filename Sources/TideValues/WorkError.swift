/// Work was given up because its turn has no time or no memory left for it.
public enum WorkError: Error {
  /// The turn has lasted too long.
  case time
  /// The budget of memory is used up.
  case memory
}
