import CTideLua

/// The runnable lines of scripts, and how often each has run.
///
/// ```swift
/// state.countLines()
/// try state.run("local a = 1\n-- that was all", name: "@one.lua")
/// state.lineCounts["one.lua"]?[1]   // 1
/// ```
extension LuaState {
  /// Starts counting the lines of files. Returns false if memory is exhausted. Scripts become
  /// slower. A script that sets its own debug hook stops counting in its coroutine.
  @discardableResult
  package func countLines() -> Bool { tide_coverage_start(raw) }

  /// Execution counts by file, indexed by line from 1. Also available after the state is closed.
  package var lineCounts: [String: [UInt32]] {
    let found = FoundCounts()
    tide_coverage_each(raw, Unmanaged.passUnretained(found).toOpaque()) {
      context, name, size, counts, count in
      guard let context else { return }
      let bytes = UnsafeRawBufferPointer(start: name, count: size)
      let file = String(decoding: bytes, as: UTF8.self)
      let found = Unmanaged<FoundCounts>.fromOpaque(context).takeUnretainedValue()
      found.counts[file] = Array(UnsafeBufferPointer(start: counts, count: count))
    }
    return found.counts
  }

  /// The lines of a chunk that contain code.
  package func runnableLines(of source: String) throws(LuaError) -> [Int] {
    var source = source
    var frame = TideFrame()
    var lines: [UInt8] = []
    let status = source.withUTF8 { text in
      lines = Array(repeating: 0, count: text.count { $0 == UInt8(ascii: "\n") } + 2)
      return tide_chunk_lines(
        raw, text.cString, text.count, "=lines", &lines, lines.count, &frame)
    }
    _ = try all(status, &frame)
    return lines.indices.filter { lines[$0] != 0 }
  }
}

private final class FoundCounts {
  var counts: [String: [UInt32]] = [:]
}
