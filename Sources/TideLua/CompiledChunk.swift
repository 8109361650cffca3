import CTideLua

/// A chunk of the program itself, compiled once and loaded by many interpreters.
///
///     let chunk = try lua.compile("return ... + 1", name: "=increment")
///     let increment = try another.load(chunk)
///
/// Lua does not verify bytecode, so compiled chunks can only be created here.
package struct CompiledChunk: Sendable {
  fileprivate let bytes: [CChar]
}

extension LuaState {
  /// Compiles a chunk without loading it.
  package func compile(_ source: String, name: String) throws(LuaError) -> CompiledChunk {
    var source = source
    var frame = TideFrame()
    var bytes: UnsafeMutablePointer<CChar>?
    var count = 0
    defer { free(bytes) }
    let status = source.withUTF8 { text in
      tide_chunk_compile(raw, text.cString, text.count, name, &bytes, &count, &frame)
    }
    _ = try all(status, &frame)
    return CompiledChunk(bytes: Array(UnsafeBufferPointer(start: bytes, count: count)))
  }

  /// Loads a chunk that any interpreter has compiled.
  package func load(
    _ chunk: CompiledChunk, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    var frame = TideFrame()
    let environment = try id(of: environment)
    let status = tide_load_compiled(raw, chunk.bytes, chunk.bytes.count, environment, &frame)
    guard case .function(let function) = try one(status, &frame) else { throw .closed }
    return function
  }
}
