import Devices

extension PageScene {
  /// Returns the picture of a scene in linear light, as the lens throws it onto the sensor.
  func picture(of scene: LinearScene) -> LinearPicture {
    var sharp = self
    sharp.linear = nil
    sharp.look = SceneLook()
    sharp.look.zoom = look.zoom
    sharp.format = StreamFormat(
      size: format.size, pixelFormat: .rgb, bytesPerRow: 3 * format.size.width,
      colorSpace: .unspecified)
    var codes = [UInt8](repeating: 0, count: sharp.format.byteCount)
    codes.withUnsafeMutableBytes { codes in
      if let base = codes.baseAddress { sharp.paint(on: base) }
    }
    let light = (0...255).map { Float(SRGBCurve.decoded(Double($0) / 255)) }
    var picture = LinearPicture(size: format.size, samples: codes.map { light[Int($0)] })
    let layout = PageSceneLayout(size: format.size, zoom: look.zoom)
    func fill(_ rectangle: SceneRectangle, _ color: [Float]) {
      picture.fill(layout.pixels(of: rectangle, turn: turn), with: color)
    }
    func fillGray(_ rectangle: SceneRectangle, _ light: Float) {
      fill(rectangle, [light, light, light])
    }
    typealias Contrast = LinearScene.Contrast
    switch scene.subject {
    case .page: break
    case .contrast:
      fillGray(Contrast.lamp, Contrast.lampLight)
      fillGray(Contrast.filament, Contrast.filamentLight)
      for rib in 0..<Contrast.ribCount {
        fillGray(
          Contrast.leather.block(rib, of: Contrast.ribCount),
          Contrast.leatherLight * (rib.isMultiple(of: 2) ? 1.5 : 0.5))
      }
      fillGray(Contrast.highlight, Contrast.lampLight)
    case .chart:
      fillGray(ColorChart.frame, 0.03)
      for (index, patch) in ColorChart.patches.enumerated() {
        fill(ColorChart.place(of: index), patch.light)
      }
    }
    let side = Double(max(format.size.width, format.size.height)) * look.zoom
    for (start, diopters) in [(-2.0, scene.defocus), (0.0, scene.defocus - scene.depth)] {
      let half = SceneRectangle(left: start, top: -2, right: start + 2, bottom: 2)
      picture.blur(
        layout.pixels(of: half, turn: turn),
        radius: abs(diopters) * LinearScene.blurPerDiopter * side)
    }
    return picture
  }
}
