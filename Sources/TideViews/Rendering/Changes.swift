/// What has changed since the last frame.
public struct Changes {
  /// The views whose look, place or children changed, each once. A new view stands for all that is
  /// below it.
  public let views: [View]
  /// The picture in a grid of characters, already brought up to date.
  public let frame: Frame
  /// The areas of the frame that were drawn again; they may overlap, and hold unchanged cells too.
  public let areas: [Rect]
  /// Everything has to be shown: the first frame, or the size is another.
  public let isWhole: Bool
}
