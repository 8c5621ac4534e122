import Console

/// A small tree in the form of `_dumpHelp()`.
enum SampleTree {
  static func read() throws -> CommandTree { try CommandTree.read(json) }

  private static let socket = """
    {"kind": "option", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
     "names": [{"kind": "long", "name": "socket"}, {"kind": "short", "name": "s"}],
     "valueName": "socket", "abstract": "The service's socket."}
    """

  private static let json = """
    {"serializationVersion": 0, "command": {"commandName": "platenctl", "shouldDisplay": true,
    "subcommands": [
      {"commandName": "status", "shouldDisplay": true, "abstract": "Show the rig.",
       "arguments": [\(socket)]},
      {"commandName": "stop", "shouldDisplay": true, "abstract": "Stop."},
      {"commandName": "hidden", "shouldDisplay": false},
      {"commandName": "spool", "shouldDisplay": true, "abstract": "Look at pictures.",
       "subcommands": [
         {"commandName": "list", "shouldDisplay": true, "abstract": "List pictures.",
          "arguments": [
            {"kind": "option", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
             "names": [{"kind": "long", "name": "state"}], "valueName": "state",
             "allValues": ["stored", "parked", "purged"], "abstract": "Only those."},
            {"kind": "flag", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
             "names": [{"kind": "long", "name": "json"}], "abstract": "Print JSON."}]},
         {"commandName": "show", "shouldDisplay": true, "abstract": "Show one.",
          "arguments": [
            {"kind": "positional", "shouldDisplay": true, "isOptional": false,
             "isRepeating": false, "valueName": "id", "abstract": "The picture's ID."}]}]}]}}
    """
}
