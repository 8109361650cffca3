import Foundation
import TideGraph
import TideREPL
import TideScript
import TideViews
import Tidelock

// What the examples of the other modules' doc comments take as given.

final class Person: DataObject {
  @Property var name = "Ada"
  @Property var age = 36
}

@MainActor let session: Session = given()
@MainActor let runtime: Runtime = given(), person: Person = given(), label: LabelView = given()
@MainActor let basket: Basket = given()
@MainActor let scene: Scene = given(), terminal: TerminalRenderer = given()
@MainActor let loop: EventLoop = given(), context: BindingContext = given()
@MainActor let graph: Graph = given(), count: Signal<Int> = given(), log: Log = given()
@MainActor let confinement: Confinement = given(), path = "app.lua"
@MainActor var isEnding = false
@MainActor var configuration: Runtime.Configuration = given(), options: BindingOptions = given()

final class Account: DataObject { @Property var balance = 100 }
final class Basket: DataObject { @Property var pieces = 3 }

struct Log { func close() {} }

func download(_ address: String) async throws -> String { "" }
