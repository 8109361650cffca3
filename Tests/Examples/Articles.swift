import Foundation
import Tidelock

// What the examples of articles take as given.

final class Person: DataObject {
  @Property var name = "Ada"
  @Property var age = 36
  @Property var friends = ObservableList<Person>()
  @Computed({ (p: Person) in "\(p.name), \(p.age)" }) var title: String

  convenience init(_ name: String, _ age: Int) {
    self.init()
    self.name = name
    self.age = age
  }
}

final class Badge: DataObject {
  @Property var text = ""
}

final class Form: DataObject {
  @Property var text = ""
  @Property var isSubmitted = false
}

final class Meter: DataObject {
  @Property var level = 0
  @Property var picture = ""
  @Property var order = 0
}

@MainActor let runtime: Runtime = given(), context: BindingContext = given()
@MainActor let person: Person = given(), other: Person = given(), third: Person = given()
@MainActor let label: Badge = given(), badge: Badge = given(), field: Badge = given()
@MainActor let form: Form = given(), document: Badge = given(), button: ButtonView = given()
@MainActor let meter: Meter = given(), desk: Meter = given()
@MainActor let configuration: Runtime.Configuration = given()
@MainActor var seen: [String] = [], names: [String] = [], titles: [String] = []
@MainActor var ages: [Int] = [], counts: [Any] = []
let log = Log(), center: NotificationCenter = given(), messages = AsyncStream<String> { _ in }

final class Log: Sendable {
  func append(_ number: Int) {}
}

extension Notification.Name {
  static let saved = Notification.Name("saved")
}

func draw() {}
func download(_ address: String) async throws -> String { "" }
