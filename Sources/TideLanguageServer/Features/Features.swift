extension LanguageServer {
  /// All features of the server. A new feature needs a file in this folder and an entry here.
  package static var features: [any Feature] {
    [
      DocumentSync(), WorkspaceChanges(), DiagnosticsFeature(), CompletionFeature(), HoverFeature(),
      NavigationFeature(), FileRenameFeature(), SymbolsFeature(), SemanticTokensFeature(),
      CallHierarchyFeature(), CodeActionsFeature(), CodeLensFeature(), InlayHintsFeature(),
      PreviewFeature(), LiveFeature(), Tracing(),
    ]
  }
}
