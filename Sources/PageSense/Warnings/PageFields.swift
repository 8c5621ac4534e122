/// The light of a page in a grid of small fields.
struct PageFields {
  /// The side of a field, in pixels.
  private static let side = 8

  /// The number of fields in a row.
  private let columns: Int
  /// The level of each field; `nil` for one that is not wholly on the page.
  let levels: [Int?]

  /// Reads the fields of a page.
  ///
  /// - Parameter share: the share of a field's samples that may be darker than its level.
  init(_ picture: SmallPicture, page: Quadrilateral, share: Double) {
    let (columns, rows) = (picture.width / Self.side, picture.height / Self.side)
    let inside = page.shrunk(to: 0.965)
    let spans = (0..<picture.height).map {
      inside.span(ofRow: $0).clamped(to: 0..<picture.width)
    }
    self.columns = columns
    levels = (0..<rows * columns).map { index -> Int? in
      let (row, column) = (index / columns * Self.side, index % columns * Self.side)
      var counts = [Int](repeating: 0, count: 256)
      for y in row..<row + Self.side {
        guard spans[y].contains(column), spans[y].contains(column + Self.side - 1) else {
          return nil
        }
        for x in column..<column + Self.side {
          counts[Int(picture.luma[y * picture.width + x])] += 1
        }
      }
      return counts.level(atShare: share)
    }
  }

  /// The number of fields on the page.
  var count: Int { levels.count { $0 != nil } }

  /// Returns the fields of some levels that are joined to the page's border by such fields.
  func joinedToBorder(_ isWanted: (Int) -> Bool) -> Set<Int> {
    func isFound(_ index: Int) -> Bool { levels[index].map(isWanted) ?? false }
    var found = levels.indices.filter { index in
      isFound(index) && neighbors(of: index).contains { $0.map { levels[$0] == nil } ?? true }
    }
    var seen = Set(found)
    while let index = found.popLast() {
      for case let next? in neighbors(of: index) where isFound(next) && seen.insert(next).inserted {
        found.append(next)
      }
    }
    return seen
  }

  /// Returns the four neighbors of a field; `nil` for one beyond the picture.
  private func neighbors(of index: Int) -> [Int?] {
    let column = index % columns
    return [
      column > 0 ? index - 1 : nil, column + 1 < columns ? index + 1 : nil,
      index >= columns ? index - columns : nil,
      index + columns < levels.count ? index + columns : nil,
    ]
  }
}
