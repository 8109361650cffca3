import TideBindings
import TideGraph
package import TideScript
import TideSystem
import TideViews

/// An inspector's view of a running app: answers requests on the app's thread.
///
/// ```swift
/// let inspection = try Inspection(runtime) { print($0.line) }
/// inspection.answer(Message("inspect", ["ask": "children", "node": "models"]))
/// // {"kind":"inspection","items":["{\"node\":\"o1\",\"label\":\"fruit\",…}"]}
/// ```
///
/// While it exists, changes are counted and the app is polled ten times a second. There is no cost
/// otherwise.
package final class Inspection {
  let runtime: Runtime
  let session: Session
  var numbers = ObjectNumbers()
  /// The report lines of reloads, the latest last.
  private var reloads: [String] = []
  private let tell: (Message) -> Void
  private var timer: LoopTimer?
  private var knownChanges = 0
  /// The view that it has marked; the mark is removed with the inspection.
  private weak var marked: View?
  private var isPicking = false

  private static let mostReloads = 100
  /// The polling interval in seconds.
  private static let beat = 0.1

  /// - Parameter tell: receives the events `changed` and `picked`.
  package init(_ runtime: Runtime, tell: @escaping (Message) -> Void) throws {
    self.runtime = runtime
    self.tell = tell
    session = try Session(runtime)
    session.printer.width = 100_000
    session.printer.limit = 10
    session.printer.depth = 2
    _ = runtime.graph.beginMeasuring()
    timer = runtime.loop.after(Self.beat, repeating: true, keepsRunning: false) { [unowned self] in
      look()
    }
  }

  deinit {
    timer?.cancel()
    runtime.graph.endMeasuring()
    guard let scene = runtime.scene else { return }
    if let marked, scene.markedView === marked { scene.markedView = nil }
    if isPicking { scene.picker = nil }
  }

  private func look() {
    let changes = runtime.graph.changeCount &+ runtime.errors.count
    if changes == knownChanges { return }
    knownChanges = changes
    tell(Message("changed"))
  }

  /// Records a reload.
  package func note(reload line: String) {
    reloads.append(line)
    if reloads.count > Self.mostReloads { reloads.removeFirst() }
    tell(Message("changed"))
  }

  // MARK: Answers

  /// Answers a request. The answer is an error if the request is invalid or its object is gone.
  package func answer(_ request: Message) -> Message {
    var answer = Message("inspection")
    if let id = request["id"] { answer["id"] = id }
    do {
      answer["items"] = .texts(try items(request).map(\.text))
    } catch {
      answer["error"] = .text((error as? TideError)?.message ?? "\(error)")
    }
    return answer
  }

  private func items(_ request: Message) throws -> [JSONLine] {
    let node = request.text("node") ?? ""
    let name = request.text("name") ?? ""
    switch request.text("ask") {
    case "children": return try runtime.graph.untracked { try children(of: node) }
    case "properties": return try runtime.graph.untracked { try properties(of: object(node)) }
    case "why": return try why(object(node), name)
    case "dependencies": return try dependencies(of: object(node), name)
    case "set": return try set(object(node), name, request.text("text") ?? "")
    case "path": return try runtime.graph.untracked { path(to: try view(node)) }
    case "source": return try source(request.text("file") ?? "")
    case "made": return runtime.graph.untracked { made(request.text("file") ?? "", node) }
    case "bindings":
      return runtime.graph.untracked {
        bindings(madeIn: request.text("file") ?? "", request.number("line") ?? 0)
      }
    case "errors": return errors()
    case "reloads":
      return reloads.reversed().map { line in
        var item = JSONLine()
        item.add("text", line)
        return item
      }
    case "mark":
      marked = node.isEmpty ? nil : try view(node)
      runtime.scene?.markedView = marked
      return []
    case "pick":
      pick()
      return []
    default:
      throw TideError(.badArgument, "nothing can be asked by \"\(request.text("ask") ?? "")\"")
    }
  }

  private func pick() {
    isPicking = true
    runtime.scene?.picker = { [weak self] view in
      guard let self else { return }
      isPicking = false
      var message = Message("picked")
      if let view { message["node"] = .text(node(of: view)) }
      tell(message)
    }
  }

  func node(of object: DataObject) -> String { "o\(numbers.number(of: object))" }

  func object(_ node: String) throws(TideError) -> DataObject {
    guard node.first == "o", let number = Int(node.dropFirst()), let object = numbers[number]
    else { throw TideError(.badArgument, "it is there no longer") }
    return object
  }

  private func view(_ node: String) throws(TideError) -> View {
    guard let view = try object(node) as? View else {
      throw TideError(.badArgument, "it is no view")
    }
    return view
  }

  private func errors() -> [JSONLine] {
    runtime.errors.map { error in
      var item = JSONLine()
      item.add("text", error.message)
      item.add("code", error.code.label)
      add(error.location, to: &item)
      return item
    }
  }

  func add(_ location: SourceLocation?, to item: inout JSONLine) {
    guard let location else { return }
    item.add("file", location.file)
    item.add("line", location.line)
  }
}
