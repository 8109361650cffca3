import TideScript

/// A report from a worker to the server, which does not trust it.
enum WorkerReport {
  /// The app has started.
  case ready
  /// A message to a page; `turn` counts how often the page has caught up.
  case page(Int, turn: Int, [UInt8])
  /// Ends the connection of a page, which shows the text, or reconnects if there is none.
  case end(Int, text: String?)
  /// Closes a page's connection with a reason, or so that the page reconnects.
  case close(Int, PageRefusal?)
  /// The app has handled a message of a page.
  case read(Int)
  /// Adds a picture that a view shows, or removes one by its number.
  case picture(Int, [UInt8])
  case pictureGone(Int)
  /// The values of its models.
  case values([UInt8])
  case pong
  /// The app could not be created, or ended by itself.
  case failed(String)
  case ended
  /// Joins a shared model, writes to it, leaves it.
  case join(Int, model: String)
  case update(Int, [SharingUpdate])
  case leave(Int)

  private enum Kind: UInt8 {
    case ready, page, end, close, read, picture, pictureGone, values, pong, failed, ended, join
    case update, leave
  }

  /// The kind and the content of its frame.
  var frame: (kind: UInt8, content: [UInt8]) {
    var writer = FrameWriter()
    let kind: Kind
    switch self {
    case .ready: kind = .ready
    case .page(let number, let turn, let bytes):
      kind = .page
      writer.add(number)
      writer.add(turn)
      writer.add(bytes)
    case .end(let number, let text):
      kind = .end
      writer.add(number)
      writer.add(text)
    case .close(let number, let refusal):
      kind = .close
      writer.add(number)
      writer.add(refusal?.rawValue)
    case .read(let number):
      kind = .read
      writer.add(number)
    case .picture(let number, let bytes):
      kind = .picture
      writer.add(number)
      writer.add(bytes)
    case .pictureGone(let number):
      kind = .pictureGone
      writer.add(number)
    case .values(let bytes):
      kind = .values
      writer.add(bytes)
    case .pong: kind = .pong
    case .failed(let reason):
      kind = .failed
      writer.add(reason)
    case .ended: kind = .ended
    case .join(let number, let model):
      kind = .join
      writer.add(number)
      writer.add(model)
    case .update(let number, let updates):
      kind = .update
      writer.add(number)
      writer.add(updates)
    case .leave(let number):
      kind = .leave
      writer.add(number)
    }
    return (kind.rawValue, writer.bytes)
  }

  init(_ kind: UInt8, _ content: UnsafeRawBufferPointer) throws(FrameReader.Fault) {
    guard let kind = Kind(rawValue: kind) else { throw FrameReader.Fault() }
    var reader = FrameReader(content)
    switch kind {
    case .ready: self = .ready
    case .page:
      self = .page(try reader.number(), turn: try reader.number(), try reader.content())
    case .end: self = .end(try reader.number(), text: try reader.optionalText())
    case .close: self = .close(try reader.number(), try Self.refusal(try reader.optionalText()))
    case .read: self = .read(try reader.number())
    case .picture: self = .picture(try reader.number(), try reader.content())
    case .pictureGone: self = .pictureGone(try reader.number())
    case .values: self = .values(try reader.content())
    case .pong: self = .pong
    case .failed: self = .failed(try reader.text())
    case .ended: self = .ended
    case .join: self = .join(try reader.number(), model: try reader.text())
    case .update: self = .update(try reader.number(), try reader.updates())
    case .leave: self = .leave(try reader.number())
    }
    guard reader.isAtEnd else { throw FrameReader.Fault() }
  }

  private static func refusal(_ name: String?) throws(FrameReader.Fault) -> PageRefusal? {
    guard let name else { return nil }
    guard let refusal = PageRefusal(rawValue: name) else { throw FrameReader.Fault() }
    return refusal
  }
}
