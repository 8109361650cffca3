import Observation
import TideBindings
import Tidelock

// What the examples of the module's doc comments take as given.

final class Person: DataObject {
  @Property var name = "Ada"
  @Property var age = 36
  @Property var friends = ObservableList<Person>()
}

final class Company: DataObject { @Property var people = ObservableList<Person>() }

final class Badge: DataObject {
  @Property var text = ""
  @Property var level = 0.5
}

final class Folder: DataObject { @Property var folders = ObservableList<Folder>() }

final class Form: DataObject { @Property var isSubmitted = false }

@Observable final class Car {
  var speed = 0
  var name = "Fiat"
  var driver = Driver()
  var wheels: [Wheel] = []
}
@Observable final class Driver { var name = "Nuvolari" }
@Observable final class Wheel { var pressure = 2.2 }

struct Socket { let messages = AsyncStream<String> { _ in } }
struct Microphone: Sendable { func next() -> Double? { nil } }
struct Store { func rows(_ offset: Int, _ count: Int) throws -> [Value] { [] } }

@MainActor let person: Person = given(), other: Person = given(), company: Company = given()
@MainActor let label: Badge = given(), field: Badge = given(), meter: Badge = given(),
  form: Form = given()
@MainActor let context: BindingContext = given(), graph: Graph = given()
@MainActor let people: ListController = given(), controller: ListController = given()
@MainActor let words: ValueList = given(), numbers: ValueList = given(), root: ValueList = given()
@MainActor let friends: ValueList = given(), names: ValueList = given(), runtime: Runtime = given()
@MainActor let cents: AnyTransformer.Function = given(), socket = Socket()
@MainActor let folder: Folder = given(), item: Person = given(), car: Car = given()
let microphone = Microphone()
@MainActor let store: Store = given()
@MainActor var archive: [Value] = [], options = BindingOptions()

func download(_ address: String) async throws -> String { "" }
func show(_ error: any Error) {}
