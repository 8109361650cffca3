import CTideSystem

extension Confinement {
  /// Determines what confinement is possible on this machine, by applying it in a forked process.
  ///
  /// Call it while the process has a single thread.
  package static func probe() -> ConfinementReport {
    var room = [CChar](repeating: 0, count: 4096)
    let version = room.withUnsafeMutableBufferPointer { room -> Int32 in
      guard let text = room.baseAddress else { return -1 }
      return tide_run_forked(
        { context in
          let report = try? Confinement().apply(.bestEffort)
          guard let report, let context else { return 0 }
          report.write(to: context.assumingMemoryBound(to: CChar.self), room: 4096)
          return Int32(report.landlockVersion)
        }, text, text, room.count)
    }
    let text = String(
      decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return ConfinementReport(landlockVersion: max(0, Int(version)), reasons: text)
  }
}

extension ConfinementReport {
  /// Writes one line for each part that is not enforced: its name, a tab and the reason.
  fileprivate func write(to text: UnsafeMutablePointer<CChar>, room: Int) {
    let lines = Part.allCases.compactMap { part in
      shortfall(of: part).map { "\(part.rawValue)\t\($0)\n" }
    }
    for (index, byte) in lines.joined().utf8.prefix(room - 1).enumerated() {
      text[index] = CChar(bitPattern: byte)
    }
  }

  fileprivate init(landlockVersion: Int, reasons: String) {
    self.init()
    self.landlockVersion = landlockVersion
    for line in reasons.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      if parts.count == 2, let part = Part(rawValue: String(parts[0])) {
        note(part, String(parts[1]))
      }
    }
  }
}
