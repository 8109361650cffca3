import Foundation
import TideViews
import Tidelock

// What the examples of the module's doc comments take as given.

final class Person: DataObject {
  @Property var name = "Ada"
  @Property var age = 36
}

@MainActor let person: Person = given()
@MainActor let label: LabelView = given(), field: FieldView = given(), button: ButtonView = given()
@MainActor let view: View = given(), root: View = given(), yes: View = given(), no: View = given()
@MainActor let files: View = given(), text: View = given(), gauge: View = given()
@MainActor let general: View = given(), advanced: View = given()
@MainActor let list: ListView = given(), table: TableView = given()
@MainActor let scene: Scene = given(), canvas: Canvas = given(), frame: Frame = given()
@MainActor let context: BindingContext = given(), fruits: ValueList = given()
@MainActor let renderer: TextRenderer = given(), terminal: TerminalRenderer = given()
@MainActor let press: MouseEvent = given(), bytes: [UInt8] = [], manyLines = ""
@MainActor let document: Document = given()

struct Document { func save() throws {} }
