/// The pictures that a worker's views show, which its server keeps and gives to pages.
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
  /// How each picture begins: as a file in PNG.
  private static let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Whether the server of a worker keeps a picture.
  static func canBeKept(_ bytes: [UInt8]) -> Bool {
    bytes.count <= largest && bytes.starts(with: start)
  }

  /// Has the server keep a picture in PNG for as long as the result lives; nil where it keeps none
  /// like that.
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
