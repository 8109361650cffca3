import TideBindings
import TideScript
import TestFolders
import Testing

@testable import TideReload

@Suite struct `Modules that a searcher gives` {
  /// What the searcher knows.
  private final class Shelf { var texts: [String: String] = [:] }

  private let shelf = Shelf()
  private let app: ReloadedApp

  init() throws {
    app = try ReloadedApp(["app.lua": "print 'begun'", "rates.lua": "return { vat = 'file' }"])
    app.runtime.register(searcher: { [shelf] name in shelf.texts[name].map { .text($0) } })
  }

  @Test func `come before the files of the app's folder`() throws {
    shelf.texts["rates"] = "return { vat = 'searcher' }"
    app.save(["app.lua": "print(require('rates').vat)"])
    #expect(app.printed.last == "searcher")
    let report = app.save(["rates.lua": "return { vat = 'saved' }"])
    #expect(report.error == nil)
    #expect(app.printed.last == "searcher")
  }

  @Test func `leave to the folder what they do not give`() {
    app.save(["app.lua": "print(require('rates').vat)"])
    #expect(app.printed.last == "file")
  }

  @Test func `are reloaded by name, with those that need them`() throws {
    shelf.texts["m"] = "model 'kept' { x = 1 } return { version = 1 }"
    app.save(["app.lua": "print(require('m').version)"])
    try app.run("models.kept.x = 5")
    shelf.texts["m"] = "model 'kept' { x = 1 } print('again', hot.reloads) return { version = 2 }"
    let report = try app.runtime.reload(["m"])
    #expect(report.reloaded == 2)
    #expect(app.printed.suffix(2) == ["again\t1", "2"])
    #expect(try app.value("models.kept.x") == "5")
  }

  @Test func `stay as they were when the new version is no good`() throws {
    shelf.texts["m"] = "return { version = 1 }"
    app.save(["app.lua": "m = require 'm'"])
    shelf.texts["m"] = "return {"
    let error = #expect(throws: TideError.self) { try app.runtime.reload(["m"]) }
    #expect(error?.code == .scriptSyntax)
    #expect(error?.location?.file == "<m>")
    shelf.texts["m"] = nil
    let gone = #expect(throws: TideError.self) { try app.runtime.reload(["m"]) }
    #expect(gone?.code == .module)
    #expect(try app.value("m.version") == "1")
    shelf.texts["m"] = "return { version = 3 }"
    try app.runtime.reload(["m"])
    #expect(try app.value("m.version") == "3")
  }

  @Test func `give way to a file once the searcher knows them no more`() throws {
    shelf.texts["rates"] = "return { vat = 'searcher' }"
    app.save(["app.lua": "print(require('rates').vat)"])
    shelf.texts = [:]
    try app.runtime.reload()
    #expect(app.printed.last == "file")
    app.save(["rates.lua": "return { vat = 'saved' }"])
    #expect(app.printed.last == "saved")
  }

  @Test func `keep the objects of a class that they declare, and of one that has moved`() throws {
    let pet = "local Pet = class 'Pet' { age = 1 }"
    let shop = "model 'shop' { pet = Pet {} }"
    shelf.texts["m"] = pet + " return Pet"
    app.save(["app.lua": "local Pet = require 'm' \(shop)"])
    try app.run("pet = models.shop.pet pet.age = 7")
    try app.runtime.reload()
    #expect(try app.value("models.shop.pet.age") == "7")
    #expect(try app.value("pet == models.shop.pet") == "true")
    shelf.texts["m"] = "return 1"
    app.folder.write("require 'm' \(pet) \(shop)", to: "app.lua")
    try app.runtime.reload()
    #expect(try app.value("models.shop.pet.age") == "7")
    #expect(try app.value("pet == models.shop.pet") == "true")
  }

  @Test func `are there again after everything has been dropped`() throws {
    shelf.texts["m"] = "return 3"
    app.save(["app.lua": "print(require 'm')"])
    try app.runtime.reset()
    #expect(app.printed.suffix(1) == ["3\t<m>"])
  }
}
