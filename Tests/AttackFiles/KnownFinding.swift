/// Attacks that succeed as yet, and why: they are not tried. The list is to be emptied.
package struct KnownFinding: CustomStringConvertible, Sendable {
  /// The doors; none for all of them.
  let doors: [String]
  /// The attacks; none for all of them.
  let attacks: [String]
  let reason: String

  package var description: String {
    "\(doors.joined(separator: ", ")) \(attacks.joined(separator: ", ")): \(reason)"
  }

  package static let all: [KnownFinding] = [
    KnownFinding(
      doors: [],
      attacks: [
        "close-allocates-then-loop", "close-loops-after-error", "close-loops-by-hand",
        "close-loops-for-value", "close-loops-in-coroutines",
        "close-loops-in-ten-thousand-frames", "close-loops-later", "close-loops-then-loop",
        "close-matches-then-loop", "close-swallows-then-loop", "task-closers-endless",
      ], reason: "the closing of what was stopped runs without the stop"),
    KnownFinding(
      doors: [],
      attacks: [
        "swallow-closers-recursive", "swallow-gsub-recursive", "swallow-load-recursive",
        "swallow-metamethods-recursive", "swallow-pcall-recursive", "swallow-resume-recursive",
        "swallow-sort-recursive", "swallow-tostring-recursive", "swallow-wrap-recursive",
        "swallow-xpcall-recursive", "computed-swallow-recursive",
      ], reason: "unwinding deep protected calls costs more than in proportion to their depth"),
    KnownFinding(
      doors: Door.all.map(\.name), attacks: ["pcall-nested"],
      reason: "the same; as a main script of an interpreter alone it ends soon enough to be tried"),
    KnownFinding(
      doors: ["module"], attacks: ["stuck-weak-keys"],
      reason: "an interpreter that is stuck below a call of the host is not given up"),
  ]

  /// Whether an attack is not to be tried at a door, or without one.
  package static func covers(_ attack: Attack, at door: Door? = nil) -> Bool {
    all.contains { known in
      (known.doors.isEmpty || known.doors.contains { $0 == door?.name })
        && (known.attacks.isEmpty || known.attacks.contains(attack.name))
    }
  }

  package static func covers(_ assault: Assault) -> Bool {
    assault.attacks.contains { covers($0, at: assault.door) }
  }

  /// Whether there are such doors and attacks.
  package var isMeaningful: Bool {
    let names = (Set(Door.all.map(\.name)), Set(Attack.corpus.map(\.name)))
    return names.0.isSuperset(of: doors) && names.1.isSuperset(of: attacks)
      && !(doors.isEmpty && attacks.isEmpty) && !reason.isEmpty
  }
}
