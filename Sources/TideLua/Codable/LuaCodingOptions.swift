import TideValues

/// Options for converting `Codable` values to and from Lua.
///
/// ```swift
/// var options = LuaCodingOptions()
/// options.maximumDepth = 20
/// let settings = try value.decode(Settings.self, with: options)
/// ```
public struct LuaCodingOptions {
  /// The maximum nesting depth of tables; at most 1000. Coding is recursive, so greater depth needs
  /// more stack.
  public var maximumDepth = 100
  /// The maximum number of keys and values in a decoded table. A table that occurs several times is
  /// counted each time.
  public var maximumCount = 10_000_000
  /// Whether to repair invalid UTF-8 in strings; otherwise it is an error.
  public var repairsText = false
  /// The `userInfo` of encoders and decoders.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The defaults.
  public init() {}

  var depth: Int { min(max(maximumDepth, 1), 1000) }
}

/// A key of a table, for coding paths.
typealias LuaCodingKey = ElementKey

extension ElementKey {
  static let `super` = ElementKey(stringValue: "super")
}

/// A coding path as a linked list, so that nesting does not copy it.
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
