import TideGraph

/// Computes a text from a pattern and the values of several sources.
///
/// It is resolved if at least one source is; with a `fallback`, only if all sources are. A value
/// that is nil or unresolved becomes empty text, or the option `null`. A controller's marker, such
/// as `NoSelection`, replaces the whole text.
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

  // Written out, because the compiler warns about the synthesized one.
  @available(*, unavailable)
  override init() { preconditionFailure("a pattern has sources") }

  override func evaluate(_ slot: Slot) throws -> Bool {
    let graph = Graph.of(slot)
    let values = try sources.map { try graph.read($0.slot) }
    let was = isResolved
    let resolved = sources.count { $0.body.isResolved }
    // A fallback replaces the whole text, so it applies as soon as one source is unresolved.
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
