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

  /// Has the server keep a picture in PNG for as long as the result lives.
  func add(_ bytes: [UInt8]) -> (any ShownPicture)? {
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
