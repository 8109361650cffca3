import CTideTest
import TideGraph
import TideLua
import TideValues

/// A module of ours that is written in Lua and lies in the program.
struct EmbeddedSource {
  let name: String
  let text: String

  static let all: [String: EmbeddedSource] = {
    var sources: [String: EmbeddedSource] = [:]
    for index in 0..<tide_test_source_count() {
      let source = tide_test_source(index)
      let bytes = UnsafeRawBufferPointer(start: source.bytes, count: source.count)
      let name = String(cString: source.name)
      sources[name] = EmbeddedSource(name: name, text: String(decoding: bytes, as: UTF8.self))
    }
    return sources
  }()

  /// The names of those that specs can require: all but the runner's own.
  static let modules: [String] = all.keys.filter { !$0.hasPrefix("tidelock.test.") }.sorted()

  /// Loads it, which each of a hundred files does in an interpreter of its own: it is compiled
  /// once.
  func load(in lua: LuaState, environment: LuaTable? = nil) throws(LuaError) -> LuaFunction {
    if let chunk = Self.compiled.withLock({ $0[name] }) {
      return try lua.load(chunk, environment: environment)
    }
    let chunk = try lua.compile(text, name: "=[\(name)]")
    Self.compiled.withLock { $0[name] = chunk }
    return try lua.load(chunk, environment: environment)
  }

  private static let compiled = Guarded<[String: CompiledChunk]>([:])

  /// Whether a location is in one of them.
  static func isEmbedded(_ chunk: String) -> Bool {
    chunk.hasPrefix("[") && all[String(chunk.dropFirst().dropLast())] != nil
  }
}

extension String {
  /// A path of `package.path` with room for more after it.
  var asPathPrefix: String { isEmpty || hasSuffix(";") ? self : self + ";" }
}
