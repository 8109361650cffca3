import TideScript

/// An order from the server to a worker.
enum WorkerOrder {
  /// Creates the app.
  case begin(Beginning)
  /// A page has connected, with its name from an earlier connection, or an empty one.
  case opened(Int, session: String, person: Viewer)
  case message(Int, [UInt8])
  /// Messages to a page were dropped, and further ones will be until it has caught up.
  case fellBehind(Int)
  case caughtUp(Int)
  case closed(Int)
  /// Requests a pong, which shows that the app's thread is responsive.
  case ping
  /// Ends the app, after it has sent its values if they are wanted.
  case stop(givesValues: Bool)
  /// Changes of a shared model, with the number under which it was joined.
  case shared(Int, SharingMailbox.Contents)

  struct Beginning {
    /// The prefix of its pages' names.
    var pagePrefix = ""
    var isDeveloping = false
    /// The values of an earlier run; nil for none.
    var kept: [UInt8]?
    /// The notice that pages show first, for some seconds.
    var notice: String?
    /// The person who opened the first page.
    var person = Viewer.unknown
    /// The owner of the session.
    var owner = SessionOwner.page
    /// The limit of the engine of shared models.
    var largestUpdate: Int?
    var isReadOnly = false
  }

  private enum Kind: UInt8 {
    case begin, opened, message, fellBehind, caughtUp, closed, ping, stop, shared
  }

  /// The kind and the content of its frame.
  var frame: (kind: UInt8, content: [UInt8]) {
    var writer = FrameWriter()
    let kind: Kind
    switch self {
    case .begin(let beginning):
      kind = .begin
      writer.add(beginning.pagePrefix)
      writer.add(beginning.isDeveloping)
      writer.add(beginning.kept)
      writer.add(beginning.notice)
      writer.add(beginning.person)
      writer.add(beginning.owner)
      writer.add(beginning.largestUpdate ?? -1)
      writer.add(beginning.isReadOnly)
    case .opened(let number, let session, let person):
      kind = .opened
      writer.add(number)
      writer.add(session)
      writer.add(person)
    case .message(let number, let bytes):
      kind = .message
      writer.add(number)
      writer.add(bytes)
    case .fellBehind(let number):
      kind = .fellBehind
      writer.add(number)
    case .caughtUp(let number):
      kind = .caughtUp
      writer.add(number)
    case .closed(let number):
      kind = .closed
      writer.add(number)
    case .ping: kind = .ping
    case .stop(let givesValues):
      kind = .stop
      writer.add(givesValues)
    case .shared(let number, let contents):
      kind = .shared
      writer.add(number)
      writer.add(contents)
    }
    return (kind.rawValue, writer.bytes)
  }

  init(_ kind: UInt8, _ content: UnsafeRawBufferPointer) throws(FrameReader.Fault) {
    guard let kind = Kind(rawValue: kind) else { throw FrameReader.Fault() }
    var reader = FrameReader(content)
    switch kind {
    case .begin:
      var beginning = Beginning()
      beginning.pagePrefix = try reader.text()
      beginning.isDeveloping = try reader.flag()
      beginning.kept = try reader.optionalContent()
      beginning.notice = try reader.optionalText()
      beginning.person = try reader.person()
      beginning.owner = try reader.owner()
      let largest = try reader.number()
      beginning.largestUpdate = largest < 0 ? nil : largest
      beginning.isReadOnly = try reader.flag()
      self = .begin(beginning)
    case .opened:
      self = .opened(
        try reader.number(), session: try reader.text(), person: try reader.person())
    case .message: self = .message(try reader.number(), try reader.content())
    case .fellBehind: self = .fellBehind(try reader.number())
    case .caughtUp: self = .caughtUp(try reader.number())
    case .closed: self = .closed(try reader.number())
    case .ping: self = .ping
    case .stop: self = .stop(givesValues: try reader.flag())
    case .shared: self = .shared(try reader.number(), try reader.contents())
    }
    guard reader.isAtEnd else { throw FrameReader.Fault() }
  }
}

extension FrameWriter {
  fileprivate mutating func add(_ person: Viewer) {
    add(person.name)
    add(person.address)
    add(person.locale)
  }

  fileprivate mutating func add(_ owner: SessionOwner) {
    switch owner {
    case .screen: add(0)
    case .named(let name):
      add(1)
      add(name)
    case .page: add(2)
    }
  }
}

extension FrameReader {
  fileprivate mutating func person() throws(Fault) -> Viewer {
    Viewer(name: try text(), address: try text(), locale: try text())
  }

  fileprivate mutating func owner() throws(Fault) -> SessionOwner {
    switch try number() {
    case 0: .screen
    case 1: .named(try text())
    case 2: .page
    default: throw Fault()
    }
  }
}
