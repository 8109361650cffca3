import TideBindings

/// What the text of a script tells of a value.
indirect enum Meaning {
  case model(String)
  /// An object of that shape, whose properties are what they are.
  case object(LiteralShape)
  /// What a property holds at first; another object may take its place.
  case held(LiteralShape)
  /// A list, and the shape of its first elements where it is known.
  case list(LiteralShape?)
  /// A view of that class, or of an unknown one.
  case view(String?)
  /// A function that makes objects.
  case constructor(LiteralShape)
  /// A controller: `list`, `tree` and so on.
  case controller(String)
  /// A binding, a handle or a task.
  case userdata(String)
  case text
  /// A number or a boolean, by its type's name.
  case plain(String)

  /// What a property of a declared type holds; nil where that may be anything.
  init?(_ type: ValueType) {
    switch type {
    case .string: self = .text
    case .number, .integer, .boolean: self = .plain(type.name)
    case .list: self = .list(nil)
    case .any, .object, .dictionary: return nil
    }
  }
}
