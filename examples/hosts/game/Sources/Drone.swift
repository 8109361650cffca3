import Tidelock

/// What the scripts move.
final class Drone: DataObject {
  @Property var x = 0.0
  @Property var speed = 0.0

  convenience init(number: Int) {
    self.init()
    x = Double(number % 100)
    speed = Double(number % 7) + 1
  }
}
