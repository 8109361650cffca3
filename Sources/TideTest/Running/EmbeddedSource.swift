import CTideTest
import TideGraph
import TideLua
import TideValues

/// A built-in Lua module, embedded in the program.
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

  /// The modules that specs can require: all except the runner's own.
  static let modules: [String] = all.keys.filter { !$0.hasPrefix("tidelock.test.") }.sorted()

  /// Loads the module. It is compiled once and then loaded into each interpreter.
  func load(in lua: LuaState, environment: LuaTable? = nil) throws(LuaError) -> LuaFunction {
    if let chunk = Self.compiled.withLock({ $0[name] }) {
      return try lua.load(chunk, environment: environment)
    }
    let chunk = try lua.compile(text, name: "=[\(name)]")
    Self.compiled.withLock { $0[name] = chunk }
    return try lua.load(chunk, environment: environment)
  }

  private static let compiled = Guarded<[String: CompiledChunk]>([:])

  /// Whether a chunk name is that of an embedded module.
  static func isEmbedded(_ chunk: String) -> Bool {
    chunk.hasPrefix("[") && all[String(chunk.dropFirst().dropLast())] != nil
  }
}

extension String {
  /// The string as a prefix for `package.path`, with a separator.
  var asPathPrefix: String { isEmpty || hasSuffix(";") ? self : self + ";" }
}
