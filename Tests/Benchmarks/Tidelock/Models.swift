import TideBindings
import Tidelock

final class Number: DataObject {
  @Property var value = -1
}

final class Anything: DataObject {
  @Property var value = Value.integer(-1)
}

final class Text: DataObject {
  @Property var value = ""
}

/// Bindings hold their ends weakly, so that the workloads keep them alive to the end.
func numbers(_ count: Int) -> [Number] { (0..<count).map { _ in Number() } }
