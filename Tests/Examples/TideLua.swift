import Foundation
import TideLua

// What the examples of the module's doc comments take as given.

final class Account { var total = 0 }
final class Window {}
struct Settings: Codable {}
struct Timeout: Error {}
struct Overdrawn: Error { var by: Int }
final class Vector: TideConvertible {
  nonisolated(unsafe) static var digits = 2, madeCount = 0
  init(x: Double, y: Double) {}
  func scaled(_ by: Vector) -> Vector { by }
  static func * (vector: Vector, factor: Double) -> Vector { vector }
}
final class Bag: TideConvertible { var items: [String] = [], counts: [String: Int] = [:] }
final class File: TideConvertible { func close() {} }
final class Grid: TideConvertible { var cells: [Double] = [] }
struct Rect: LuaStruct { var width = 1.0 }
final class Point: TideConvertible { var x = 1.0, y = 2.0 }
actor Store: TideConvertible {
  init(_ path: String) async throws {}
  func read(_ key: String) throws -> String { key }
}

@MainActor let state: LuaState = given(), function: LuaFunction = given()
@MainActor let table: LuaTable = given(), meta: LuaTable = given(), value: LuaValue = given()
@MainActor let vectors: LuaUserType<Vector> = given(), rects: LuaUserType<Rect> = given()
@MainActor let bags: LuaUserType<Bag> = given(), files: LuaUserType<File> = given()
@MainActor let grids: LuaUserType<Grid> = given()
@MainActor let points: LuaUserType<Point> = given(), stores: LuaUserType<Store> = given()
@MainActor let window: Window = given(), script = "return 1"

func download(_ address: String) async throws -> String { "" }
