import TideValues

/// How `Codable` values cross the border.
///
/// ```swift
/// var options = LuaCodingOptions()
/// options.maximumDepth = 20
/// let settings = try value.decode(Settings.self, with: options)
/// ```
public struct LuaCodingOptions {
  /// How many tables may lie within each other; at most 1000. Values are made and read recursively,
  /// so more depth needs more stack.
  public var maximumDepth = 100
  /// How many keys and values a decoded table may have in all. A table that is found in several
  /// positions counts in each.
  public var maximumCount = 10_000_000
  /// Replaces what is not UTF-8 in text that becomes a `String`, which is an error otherwise.
  public var repairsText = false
  /// What the types find as `userInfo` of their encoder or decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The defaults.
  public init() {}

  var depth: Int { min(max(maximumDepth, 1), 1000) }
}

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
