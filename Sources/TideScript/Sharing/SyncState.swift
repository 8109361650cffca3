import TideBindings

/// `sync` of a shared model: connection state, pending writes, conflicts and errors.
final class SyncState: LiveObject {
  private static let state = Shape(
    name: "sync",
    properties: [
      PropertyDescription("state", .string, initial: .string("connecting"), isReadOnly: true),
      PropertyDescription("pending", .integer, initial: .integer(0), isReadOnly: true),
      PropertyDescription("conflicts", .integer, initial: .integer(0), isReadOnly: true),
      PropertyDescription("error", .string, initial: .string(""), isReadOnly: true),
    ], swiftClasses: [])

  init() { super.init(shape: Self.state) }

  var conflicts = 0 {
    didSet { put(2, .integer(conflicts)) }
  }

  func show(_ state: SharingState, pending: Int, error: String) {
    put(0, .string(state.rawValue))
    put(1, .integer(pending))
    put(3, .string(error))
  }
}
