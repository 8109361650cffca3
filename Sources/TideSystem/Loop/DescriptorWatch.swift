/// A function that an event loop calls whenever a descriptor can be read, is closed at its other
/// end, or is broken.
///
/// Cancel it before closing the descriptor: the number may soon belong to another file.
public final class DescriptorWatch {
  /// The descriptor that is watched; it stays the caller's to close.
  public let descriptor: Int32
  /// Whether a headless app waits for it.
  let keepsRunning: Bool
  /// Never used again, unlike a descriptor: what the kernel reports late finds nobody.
  let number: UInt64
  private(set) var body: (() -> Void)?
  private weak var watches: DescriptorTable?

  init(
    descriptor: Int32, keepsRunning: Bool, number: UInt64, watches: DescriptorTable,
    body: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    self.keepsRunning = keepsRunning
    self.number = number
    self.watches = watches
    self.body = body
  }

  /// Whether it is watched at present.
  public var isEnabled: Bool { body != nil }

  /// Ends it; its own function, or that of another watch, may do so.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    watches?.forget(self)
  }
}
