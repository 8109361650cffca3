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
      doors: ["computed-deep"], attacks: ["comparator-lies"],
      reason: "a computed value that writes what it has read stays stale where nobody follows it")
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
