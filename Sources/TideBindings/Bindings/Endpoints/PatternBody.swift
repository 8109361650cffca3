import TideGraph

/// Keeps a computed slot at a text with the values of several sources in it.
///
/// It has led somewhere as soon as one of the sources has; what is nil or leads nowhere is shown as
/// nothing, or as the option `null` says. A controller's state, such as `NoSelection`, stands for
/// the whole.
final class PatternBody: SourceBody {
  private let sources: [(slot: Slot, body: PathBody)]
  private let format: LuaFormat
  private let options: BindingOptions

  init(
    _ sources: [(slot: Slot, body: PathBody)], _ format: LuaFormat, _ options: BindingOptions
  ) {
    self.sources = sources
    self.format = format
    self.options = options
    super.init()
  }

  // Spelled out, because the compiler warns of the one that it would make.
  @available(*, unavailable)
  override init() { preconditionFailure("a pattern has sources") }

  override func evaluate(_ slot: Slot) throws -> Bool {
    let graph = Graph.of(slot)
    let values = try sources.map { try graph.read($0.slot) }
    let was = isResolved
    let resolved = sources.count { $0.body.isResolved }
    // What is to be shown in place of a path that leads nowhere is shown in place of the whole.
    isResolved = options.fallback == nil ? resolved > 0 : resolved == sources.count
    let text: Value
    if let state = values.first(where: \.isStateMarker) {
      text = state
    } else {
      text = try format.apply(to: values, null: options.null ?? "")
    }
    let changed = slot.store(text)
    return changed || was != isResolved
  }
}
