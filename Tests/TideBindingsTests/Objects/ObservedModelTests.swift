import Dispatch
import Observation
import OwnThread
import Synchronization
import Testing
import TideBindings
import TideGraph

@Suite struct `Models of observable objects` {
  final class Label: DataObject {
    @Property var text = ""
    @Property var count = 0
  }

  enum Fuel: String, CaseIterable, TideConvertible { case diesel, petrol }
  struct Point: Codable, TideConvertible { var x = 0, y = 0 }

  @Observable final class Driver {
    var name: String
    init(_ name: String) { self.name = name }
  }

  @Observable final class Wheel {
    var pressure: Int
    init(_ pressure: Int) { self.pressure = pressure }
  }

  @Observable final class Car {
    var speed = 0
    var name = "Fiat"
    var fuel = Fuel.petrol
    var position = Point()
    var driver = Driver("Ann")
    var guest: Driver?
    var wheels = [Wheel(1), Wheel(2)]
    var title: String { "\(name) at \(speed)" }
    var limited = 0 { didSet { if limited > 100 { limited = 100 } } }
  }

  @Test func `an observable object is followed at the next settle, and written to`() throws {
    let car = Car(), label = Label()
    let model = ObservedModel(car, .property("speed", \.speed), .readOnly("name", \.name))
    let context = BindingContext()
    try context.bind("speed <> count", model, label)
    try context.bind("name -> text", model, label)
    var seen: [Int] = []
    try context.observe(label, \.count) { new, _ in seen.append(new) }
    car.speed = 7
    car.speed = 8
    car.name = "Opel"
    model.graph.settle()
    #expect(label.count == 8)
    #expect(seen == [8])
    #expect(label.text == "Opel")
    label.count = 20
    #expect(car.speed == 20)
    model.graph.settle()
    #expect(try model.value(of: "speed") == 20)
    #expect(throws: TideError.self) { try model.set("name", "x") }
    #expect(model.graph.brokenInvariants() == [])
  }

  @Test func `a value is read as it is, before anything has settled`() throws {
    let car = Car()
    let model = ObservedModel(
      car, .property("name", \.name), .property("speed", \.speed), .readOnly("title", \.title))
    #expect(try model.value(of: "title") == "Fiat at 0")
    car.speed = 5
    #expect(try model.value(of: "title") == "Fiat at 5")
    try model.set("name", "Opel")
    #expect(try model.value(of: "title") == "Opel at 5")
    #expect(try model.value(of: "name") == "Opel")
  }

  @Test func `a batch reads what it has written`() throws {
    let car = Car(), label = Label()
    let model = ObservedModel(car, .property("name", \.name), .readOnly("title", \.title))
    let context = BindingContext()
    try context.bind("title -> text", model, label)
    try model.graph.batch {
      try model.set("name", "Opel")
      #expect(try model.value(of: "title") == "Opel at 0")
      #expect(label.text == "Fiat at 0", "what is bound waits for the end")
    }
    #expect(label.text == "Opel at 0")
    #expect(model.graph.brokenInvariants() == [])
  }

  @Test func `a setter's own correction is seen`() throws {
    let car = Car(), label = Label()
    let model = ObservedModel(car, .property("limited", \.limited))
    let context = BindingContext()
    try context.bind("limited <> count", model, label)
    try model.set("limited", 250)
    #expect(try model.value(of: "limited") == 100)
    #expect(label.count == 100)
  }

  @Test func `a value that does not fit is refused by the names of what does`() throws {
    let car = Car()
    let model = ObservedModel(
      car, .property("fuel", \.fuel), .property("position", \.position), .property("speed", \.speed)
    )
    func message(_ name: String, _ value: Value) -> String {
      do {
        try model.set(name, value)
        return ""
      } catch { return "\(error)" }
    }
    #expect(message("fuel", "coal").contains("Car.fuel holds one of diesel, petrol, not string"))
    #expect(message("fuel", 5).contains("Car.fuel holds one of diesel, petrol, not integer (5)"))
    #expect(message("position", "x").contains("Car.position holds a Point, not string"))
    #expect(message("speed", "x").contains("Car.speed holds integer, not string"))
    #expect(car.fuel == .petrol)
    try model.set("fuel", "diesel")
    #expect(car.fuel == .diesel)
  }

  @Test func `an object within has a model of its own, which follows it`() throws {
    let car = Car(), label = Label()
    let model = ObservedModel(
      car, .object("driver", \.driver, .property("name", \.name)),
      .object("guest", \.guest, .readOnly("name", \.name)))
    let context = BindingContext()
    try context.bind("driver.name -> text", model, label)
    #expect(label.text == "Ann")
    #expect(try model.value(of: "guest") == .null)
    car.driver.name = "Bob"
    model.graph.settle()
    #expect(label.text == "Bob")
    let first = try model.value(of: "driver")
    car.driver = Driver("Cid")
    car.guest = car.driver
    model.graph.settle()
    #expect(label.text == "Cid")
    #expect(try model.value(of: "driver") != first)
    let driver = try DataObject.from(try model.value(of: "driver"))
    try driver.set("name", "Dan")
    #expect(car.driver.name == "Dan")
    #expect(label.text == "Dan")
    #expect(throws: TideError.self) { try model.set("driver", .null) }
  }

  @Test func `an array is a list whose rows keep their models`() throws {
    let car = Car(), label = Label()
    let model = ObservedModel(car, .list("wheels", \.wheels, .property("pressure", \.pressure)))
    let context = BindingContext()
    try context.bind("wheels.@sum.pressure -> count", model, label)
    #expect(label.count == 3)
    let list = try ValueList.from(try model.value(of: "wheels"))
    let first = list.values[0]
    car.wheels.append(Wheel(10))
    #expect(list.values.count == 3, "a list that is read is up to date")
    #expect(list.values[0] == first)
    car.wheels[1].pressure = 5
    model.graph.settle()
    #expect(label.count == 16)
    car.wheels.removeFirst()
    model.graph.settle()
    #expect(label.count == 15)
    let error = #expect(throws: TideError.self) { try list.append(first) }
    #expect(error?.code == .readOnly)
    #expect(model.graph.brokenInvariants() == [])
  }

  @Test func `what changes at each settling is a loop that ends`() throws {
    let car = Car(), label = Label()
    let model = ObservedModel(car, .property("speed", \.speed))
    let context = BindingContext()
    try context.bind("speed -> count", model, label)
    try context.observe(label, \.count) { new, _ in car.speed = new + 1 }
    let errors = Mutex<[TideError]>([])
    model.graph.onError = { error in errors.withLock { $0.append(error) } }
    car.speed = 1
    model.graph.settle()
    #expect(errors.withLock { $0.contains { $0.code == .cycle } })
    context.removeAll()
  }

  /// An object whose changes a test can hold between their announcement and their storing.
  final class Slow: Observable, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    private let stored = Mutex(0)
    let isAnnounced = DispatchSemaphore(value: 0)
    let mayStore = DispatchSemaphore(value: 0)

    var value: Int {
      get {
        registrar.access(self, keyPath: \.value)
        return stored.withLock { $0 }
      }
      set {
        registrar.withMutation(of: self, keyPath: \.value) {
          isAnnounced.signal()
          mayStore.wait()
          stored.withLock { $0 = newValue }
        }
      }
    }
  }

  @Test func `another thread's last value is not lost, however long its storing takes`() throws {
    let slow = Slow(), label = Label()
    let model = ObservedModel(slow, .readOnly("value", \.value))
    let context = BindingContext()
    try context.bind("value -> count", model, label)
    let isStored = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      slow.value = 7
      isStored.signal()
    }
    slow.isAnnounced.wait()
    model.graph.settle()
    #expect(label.count == 0)
    slow.mayStore.signal()
    isStored.wait()
    model.graph.settle()
    #expect(label.count == 7)
  }

  @Test func `a change by another thread wakes the owner once until it settles`() throws {
    let slow = Slow(), label = Label()
    let model = ObservedModel(slow, .readOnly("value", \.value))
    let context = BindingContext()
    try context.bind("value -> count", model, label)
    // What a test before has left on this thread's graph has woken its owner already.
    model.graph.settle()
    let woken = Mutex(0)
    model.graph.wake = { woken.withLock { $0 += 1 } }
    defer { model.graph.wake = nil }
    for value in 1...3 {
      let isStored = DispatchSemaphore(value: 0)
      slow.mayStore.signal()
      DispatchQueue.global().async {
        slow.value = value
        isStored.signal()
      }
      isStored.wait()
    }
    #expect(woken.withLock { $0 } == 1)
    model.graph.settle()
    #expect(label.count == 3)
  }

  @Test func `an object that outlives its model's thread may still change`() {
    let slow = Slow()
    JoinedThread {
      let model = ObservedModel(slow, .readOnly("value", \.value))
      #expect(model["value"] == 0)
    }.join()
    slow.mayStore.signal()
    slow.value = 1
    #expect(slow.value == 1)
  }
}
