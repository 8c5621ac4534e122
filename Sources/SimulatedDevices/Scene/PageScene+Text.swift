import Devices

extension PageScene {
  /// Paints the page of the book, with its number in the footer.
  func paintText(on canvas: FrameCanvas, layout: PageSceneLayout, ink: UInt8) {
    let grid = TurnedGrid(over: layout.place(of: PageSceneLayout.text, turn: turn), turn: turn)
    let scale = layout.textScale
    var stencils = [Stencil?](repeating: nil, count: 256)
    let footer = PageSceneLayout.bitmapPixels(
      PageSceneLayout.pageNumber - PageSceneLayout.text.top)
    for letter in BookPage.numbered(page).letters + BookPage.number(page, y: footer) {
      let index = Int(letter.character)
      let stencil = stencils[index] ?? Typeface.book[letter.character].stencil(scale: scale)
      stencils[index] = stencil
      canvas.stamp(
        stencil, x: Int((Double(letter.x) * scale).rounded()),
        y: Int((Double(letter.y) * scale).rounded()), on: grid, ink: ink)
    }
  }
}
