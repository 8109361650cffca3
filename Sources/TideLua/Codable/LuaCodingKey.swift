import TideValues

/// A key of a table, as coding paths name it.
typealias LuaCodingKey = ElementKey

extension ElementKey {
  static let `super` = ElementKey(stringValue: "super")
}

/// A coding path whose end knows the rest, so that going deeper copies nothing.
final class CodingPath {
  private let parent: CodingPath?
  private let key: any CodingKey

  init(_ parent: CodingPath?, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
  }

  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path: CodingPath? = self
    while let step = path {
      keys.append(step.key)
      path = step.parent
    }
    return keys.reversed()
  }
}

extension CodingPath? {
  var keys: [any CodingKey] { self?.keys ?? [] }
}
