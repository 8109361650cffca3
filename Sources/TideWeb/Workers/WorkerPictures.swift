/// The pictures that a worker's views show, which its server stores and sends to pages.
final class WorkerPictures {
  /// By their addresses.
  private var uses: [String: WeakUse] = [:]
  private var lastNumber = 0
  /// Sends a report to the server.
  var send: (WorkerReport) -> Void = { _ in }

  private struct WeakUse {
    weak var use: Use?
  }

  /// In bytes.
  private static let largest = 8 << 20
  /// The first bytes of a PNG file.
  private static let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Whether a worker's server accepts a picture.
  static func canBeKept(_ bytes: [UInt8]) -> Bool {
    bytes.count <= largest && bytes.starts(with: start)
  }

  /// Makes the server store a PNG picture for the lifetime of the result; nil if it would not
  /// accept the picture.
  func add(_ bytes: [UInt8]) -> (any ShownPicture)? {
    guard Self.canBeKept(bytes) else { return nil }
    let address = PagePictures.address(of: bytes)
    if let use = uses[address]?.use { return use }
    lastNumber += 1
    let use = Use(address, number: lastNumber, self)
    uses[address] = WeakUse(use: use)
    send(.picture(lastNumber, bytes))
    return use
  }

  private final class Use: ShownPicture {
    let address: String
    private let number: Int
    private weak var pictures: WorkerPictures?

    init(_ address: String, number: Int, _ pictures: WorkerPictures) {
      self.address = address
      self.number = number
      self.pictures = pictures
    }

    deinit { pictures?.forget(address, number) }
  }

  private func forget(_ address: String, _ number: Int) {
    if uses[address]?.use == nil { uses[address] = nil }
    send(.pictureGone(number))
  }
}
