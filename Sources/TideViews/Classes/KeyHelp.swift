/// What keys do: a line of the help for a person at the keys.
///
/// ```swift
/// KeyHelp("Up Down", "the row above, below")
/// ```
///
/// Each view class has the lines of the keys that its views take, in `ViewClass.keyHelp`; what is
/// good for those that show at present is in `Scene.keyHelp`.
public struct KeyHelp: Hashable, Sendable {
  /// Names of keys with blanks between them, or words for several.
  public var keys: String
  /// What the keys do.
  public var action: String
  /// Whether the key does this also while a view below this one has the focus.
  public var reachesInside: Bool

  /// Describes keys of a view, and with `reachesInside` also while a view inside it has the focus.
  public init(_ keys: String, _ action: String, reachesInside: Bool = false) {
    self.keys = keys
    self.action = action
    self.reachesInside = reachesInside
  }

  /// Lines that belong together, below a title.
  public struct Section: Hashable, Sendable {
    /// What the lines have in common, such as the view that takes the keys.
    public var title: String
    /// The keys and what they do.
    public var lines: [KeyHelp]

    /// Puts lines under a title.
    public init(_ title: String, _ lines: [KeyHelp]) {
      self.title = title
      self.lines = lines
    }
  }
}
