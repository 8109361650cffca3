/// The shapes of literal tables, each made once: a large one may be asked for at every use of the
/// variable that holds it.
final class KnownShapes {
  private var shapes: [ObjectIdentifier: LiteralShape] = [:]

  /// The shape of a table; an open one of what is no literal.
  func shape(of table: LuaExpression?) -> LiteralShape {
    guard let table, let fields = table.fields else { return .unknown }
    if let known = shapes[ObjectIdentifier(table)] { return known }
    let shape = LiteralShape(fields)
    shapes[ObjectIdentifier(table)] = shape
    return shape
  }
}
