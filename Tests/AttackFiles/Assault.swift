import FoundationEssentials

/// One or more attacks at a door, one after the other: `timer loop-while string-copies`.
package struct Assault: Sendable, CustomStringConvertible {
  package let door: Door
  package let attacks: [Attack]

  package init(_ door: Door, _ attacks: [Attack]) {
    self.door = door
    self.attacks = attacks
  }

  /// Reads what `description` says; nil where there is no such door or attack.
  package init?(_ description: String) {
    let words = description.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count > 1, let door = Door.all.first(where: { $0.name == words[0] }) else {
      return nil
    }
    let attacks = words.dropFirst().compactMap { word in
      Attack.corpus.first { $0.name == word }
    }
    guard attacks.count == words.count - 1 else { return nil }
    self.init(door, attacks)
  }

  package var description: String {
    ([door.name] + attacks.map(\.name)).joined(separator: " ")
  }

  /// Seconds of a turn: few if time may end one of the attacks, many otherwise, for a busy machine.
  package var turn: Double { attacks.contains(where: \.isTimed) ? 0.1 : 10 }
  package static let memory = 32 << 20

  /// Whether the interpreter may be abandoned.
  package var mayBeGivenUp: Bool { attacks.contains { $0.allowed.contains(.givenUp) } }
  /// Whether the app may have ended afterwards, may have no budget left for anything, or does not
  /// show the views any more by which somebody comes in.
  package var mayBeLast: Bool {
    attacks.contains {
      $0.leavesNothing || (savedFile != nil && $0.leavesNoGlobals)
        || (door.isInViews && $0.leavesOtherViews)
    }
  }

  /// Whether the door or one of the attacks has a database.
  package var needsStore: Bool { door.isInStore || attacks.contains(where: \.isInStore) }

  /// Every attack at every door, alone.
  package static func all(where isMeant: (Door) -> Bool) -> [Assault] {
    Door.all.filter(isMeant).flatMap { door in Attack.corpus.map { Assault(door, [$0]) } }
  }
}

extension Attack {
  /// The attacks on the interpreter, on the runtime and on its databases.
  package static let corpus: [Attack] = {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return ["TideLuaTests", "TideScriptTests", "TideStoreTests"].flatMap {
      all(in: tests.appending(path: "\($0)/Attacks").path)
    }
  }()
}
