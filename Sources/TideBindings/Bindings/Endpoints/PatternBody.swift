import TideGraph

/// Computes a text from a pattern and the values of several sources.
///
/// It is resolved as soon as one of the sources is; a value that is nil or unresolved is shown as
/// empty text, or as the option `null` says. A controller's marker, such as `NoSelection`, stands
/// for the whole.
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
    // The placeholder of an unresolved path replaces the whole.
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
