import TestFolders
import Foundation
import Testing

/// Native modules, which specs may load: they call the interpreter that is in the program.
@Suite struct NativeModuleTests {
  private static let compiler = "/usr/bin/cc"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: compiler)))
  func `load from where --cpath says`() throws {
    let folder = try ScratchFolder()
    folder.makeFolder("spec")
    folder.write(
      """
      #include <lua5.4/lua.h>
      #include <lua5.4/lauxlib.h>
      static int twice(lua_State *L) {
        lua_pushinteger(L, 2 * luaL_checkinteger(L, 1));
        return lua_gettop(L) - 1;
      }
      int luaopen_twice(lua_State *L) {
        lua_pushcfunction(L, twice);
        return 1;
      }
      """, to: "twice.c")
    let build = Process()
    build.executableURL = URL(filePath: Self.compiler)
    build.arguments = ["-shared", "-fPIC", "-o", "twice.so", "twice.c"]
    build.currentDirectoryURL = URL(filePath: folder.path)
    try build.run()
    build.waitUntilExit()
    try #require(build.terminationStatus == 0)
    folder.write(
      "it('calls', function() assert.equal(6, require 'twice'(3)) end)", to: "spec/a_spec.lua")
    let outcome = try Program.run(["test", "--cpath", "./?.so"], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.output)")
    let confined = try Program.run(["test", "--sandbox", "--cpath", "./?.so"], in: folder)
    #expect(confined.status == .exited(1))
  }
}
