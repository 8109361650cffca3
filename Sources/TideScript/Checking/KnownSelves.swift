/// What variables are known to be by where they stand: the `self` of an object's functions.
///
/// Kept beside the variables, because the meaning of such a variable holds the object's functions,
/// which hold the variable.
final class KnownSelves {
  private var meanings: [ObjectIdentifier: Meaning] = [:]

  subscript(local: LuaLocal) -> Meaning? {
    get { meanings[ObjectIdentifier(local)] }
    set { meanings[ObjectIdentifier(local)] = newValue }
  }
}
