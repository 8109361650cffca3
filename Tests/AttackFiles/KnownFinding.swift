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
      doors: ["spec-hook"], attacks: ["stuck-call-chain"],
      reason: "where a hook before each test is stuck, the tests after it end with the file"),
    KnownFinding(
      doors: ["binding-when"], attacks: ["stuck-weak-keys"],
      reason: "a closed interpreter is listed a second time, for the binding that it ends"),
    KnownFinding(
      doors: ["spec-assertion"], attacks: ["globals-replaced"],
      reason: "the attack protects the metatable of the globals that it then replaces again"),
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
