import TideBindings
import TideGraph

/// A resource or stream with the name by which the next version of its module finds it.
struct NamedLiveObject {
  let name: String
  weak var object: DataObject?
}

// A reload makes resources and streams again; named ones keep the results of their predecessors.
extension Runtime {
  /// Starts an object that a script has just made. During a reload, it starts when the new version
  /// is committed.
  func begin(_ client: any FetchingClient, _ fetching: Fetching, named name: String?) throws {
    let object = client.fetchingObject
    let found = try name.flatMap { try note(object, named: $0) }
    guard let rollback = loader.rollback else { return fetching.begin() }
    let former =
      (found as? StreamList)?.source as? any FetchingClient ?? found as? any FetchingClient
    if let former { client.adopt(former) }
    // A running fetch ends with its version. If the script has changed, its earlier reads do not
    // apply.
    let past = former?.fetching?.past
    rollback.onCommit { [weak self, weak client] in
      guard let self, let client else { return }
      client.fetching?.begin(after: hasKeptItsMeaning ? past : nil)
    }
  }

  /// Starts a system stream. During a reload, a stream that equals its predecessor keeps the
  /// predecessor's items and its running program or open file.
  func begin(_ list: StreamList, named name: String?) throws {
    let found = try name.flatMap { try note(list, named: $0) } as? StreamList
    // Bindings hold their ends weakly, and a stream may be referenced only by its bindings.
    context.own { list.source = nil }
    guard let source = list.source as? any StreamSource else { return }
    guard let rollback = loader.rollback else { return try source.begin() }
    var former = found?.source as? any StreamSource
    if let found, let known = former, source.resembles(known) {
      try list.succeed(found)
      known.isHandedOver = true
      rollback.keep { known.isHandedOver = false }
    } else {
      former = nil
    }
    rollback.onCommit { [weak self, weak source] in
      guard let self, let source else { return }
      if let former { return source.takeOver(former) }
      do { try source.begin() } catch { self.list(TideError(script: error)) }
    }
  }

  /// During a reload, lets a history continue with the steps of its named predecessor.
  func begin(_ history: UndoHistory, named name: String?) throws {
    guard let former = try name.flatMap({ try note(history, named: $0) }) as? UndoHistory,
      let rollback = loader.rollback
    else { return }
    rollback.onCommit { history.adopt(former) }
  }

  /// Names an object, and returns the object that the previous version made under the name.
  private func note(_ object: DataObject, named name: String) throws -> DataObject? {
    try nameModel(object, name)
    guard let module = modules.module(of: context) else { return nil }
    module.liveObjects.removeAll { $0.object == nil }
    module.liveObjects.append(NamedLiveObject(name: name, object: object))
    let found = module.former?.liveObjects.last { $0.name == name }?.object
    return found.flatMap { type(of: $0) == type(of: object) ? $0 : nil }
  }

  /// Whether the replaced versions differ from the new ones only in comments and whitespace.
  private var hasKeptItsMeaning: Bool {
    guard let rollback = loader.rollback else { return false }
    return rollback.leaving.allSatisfy { old in
      guard let new = modules[old.name], let text = new.text, let former = old.text else {
        return false
      }
      return text == former || ScriptTokens.areEqual(text, former)
    }
  }
}

/// Compares script texts without comments and whitespace.
enum ScriptTokens {
  /// Whether two texts differ only in comments and whitespace.
  static func areEqual(_ one: String, _ other: String) -> Bool {
    significant(Array(one.utf8)) == significant(Array(other.utf8))
  }

  /// The text with each run of whitespace and comments replaced by one space.
  private static func significant(_ text: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var index = 0
    func at(_ offset: Int) -> UInt8? {
      index + offset < text.count ? text[index + offset] : nil
    }
    /// The end of a long bracket that begins at an offset; nil if none does.
    func longEnd(_ offset: Int) -> Int? {
      guard at(offset) == UInt8(ascii: "[") else { return nil }
      var level = 0
      while at(offset + 1 + level) == UInt8(ascii: "=") { level += 1 }
      guard at(offset + 1 + level) == UInt8(ascii: "[") else { return nil }
      let equals = [UInt8](repeating: UInt8(ascii: "="), count: level)
      let closing = [UInt8(ascii: "]")] + equals + [UInt8(ascii: "]")]
      var end = index + offset + level + 2
      while end + closing.count <= text.count {
        if text[end..<end + closing.count].elementsEqual(closing) { return end + closing.count }
        end += 1
      }
      return text.count
    }
    func keep(upTo end: Int) {
      kept += text[index..<end]
      index = end
    }
    func skip(to end: Int) {
      if kept.last != UInt8(ascii: " ") { kept.append(UInt8(ascii: " ")) }
      index = end
    }
    while let byte = at(0) {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        skip(to: index + 1)
      case UInt8(ascii: "-") where at(1) == UInt8(ascii: "-"):
        if let end = longEnd(2) {
          skip(to: end)
        } else {
          skip(to: text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count)
        }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        var end = index + 1
        while end < text.count, text[end] != byte, text[end] != UInt8(ascii: "\n") {
          end += text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        keep(upTo: min(end + 1, text.count))
      case UInt8(ascii: "["):
        if let end = longEnd(0) { keep(upTo: end) } else { keep(upTo: index + 1) }
      default: keep(upTo: index + 1)
      }
    }
    if kept.last == UInt8(ascii: " ") { kept.removeLast() }
    if kept.first == UInt8(ascii: " ") { kept.removeFirst() }
    return kept
  }
}
