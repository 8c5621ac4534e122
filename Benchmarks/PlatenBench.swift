import ArgumentParser

/// The benchmarks, each printed as ratios to a named peer in the same run.
@main
struct PlatenBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "platenbench",
    abstract: "Measures Platen beside a named peer in the same run.",
    subcommands: [
      CaptureBenchmark.self, EncodeBenchmark.self, SpoolBenchmark.self, UploadBenchmark.self,
      APIBenchmark.self, CostBenchmark.self, PhotoBenchmark.self, PagesBenchmark.self,
    ])
}
