import Foundation
import Testing
import Tidelock

@Suite struct FruitTests {
  private let runtime: Runtime
  private let scene: Scene
  private let size = Size(width: 60, height: 16)

  init() throws {
    runtime = try Runtime(app: Examples.folder.appending(path: "fruit/app.lua"))
    try runtime.load()
    scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: size))
  }

  private func name() throws -> Value { try #require(runtime.models["fruit"]).value(of: "name") }

  private func text(_ id: String) throws -> String {
    try #require(scene.window.find(id))[ViewKey<String>("text")]
  }

  @Test func `it looks as it did`() throws {
    try expectPicture(scene.window.snapshot(size: size), "fruit")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `typing into the field changes the model and the labels that show it`() throws {
    #expect(try name() == "apple")
    try scene.send(keys: "Tab")
    #expect(scene.focused === scene.window.find("editor"))
    try scene.send(keys: "s Space p i e")
    #expect(try name() == "apples pie")
    #expect(try text("name") == "apples pie")
    #expect(try text("letters") == "10 letters")
    try expectPicture(scene.window.snapshot(size: size), "fruit-typed")
    try scene.send(keys: "Ctrl-u")
    #expect(try name() == "")
    #expect(try text("letters") == "0 letters")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `a change of the model shows in the label and in the field`() throws {
    try #require(runtime.models["fruit"]).set("name", "fig")
    #expect(try text("name") == "fig")
    #expect(try text("editor") == "fig")
  }

  @Test func `the buttons ripen and replace the fruit`() throws {
    let label = try #require(scene.window.find("name"))
    #expect(label[.textColor] == "red")
    try scene.send(keys: "Tab Tab Enter")
    #expect(label[.textColor] == "#8b5a2b")
    try scene.send(keys: "Enter Enter")
    #expect(label[.textColor] == "yellow")
    try scene.send(keys: "Tab Enter")
    #expect(try text("editor") == "pear")
    #expect(runtime.errors.isEmpty)
  }
}
