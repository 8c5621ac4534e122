import CIIO
import Testing

@testable import LinuxDevices

@Suite struct IIOChannelTests {
  /// Decodes with libiio itself, through a context that is described in XML and has no device.
  private func decode(_ format: String, _ bytes: [UInt8]) throws -> Int64 {
    let escaped = format.replacing(">", with: "&gt;")
    let xml = """
      <?xml version="1.0" encoding="utf-8"?><!DOCTYPE context [<!ELEMENT context (device)*>\
      <!ELEMENT device (channel)*><!ELEMENT channel (scan-element)><!ELEMENT scan-element EMPTY>\
      <!ATTLIST context name CDATA #REQUIRED description CDATA #IMPLIED>\
      <!ATTLIST device id CDATA #REQUIRED name CDATA #IMPLIED>\
      <!ATTLIST channel id CDATA #REQUIRED type (input|output) #REQUIRED>\
      <!ATTLIST scan-element index CDATA #REQUIRED format CDATA #REQUIRED>]>\
      <context name="xml" description="test">\
      <device id="iio:device0" name="lis3dh"><channel id="accel_x" type="input">\
      <scan-element index="0" format="\(escaped)"/></channel></device></context>
      """
    let context = try #require(
      xml.withCString { text in iio_create_xml_context_mem(text, xml.utf8.count) })
    defer { iio_context_destroy(context) }
    let device = try #require(iio_context_find_device(context, "lis3dh"))
    let channel = try #require(IIOChannel("accel_x", of: device))
    return bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { channel.value(of: $0) } ?? .min
    }
  }

  @Test(
    arguments: [
      // The LIS3DH's format: 12 bits, shifted left by 4. 1000 mg is 16000 in the buffer.
      ("le:s12/16>>4", [0x80, 0x3E], 1000),
      ("le:s12/16>>4", [0x80, 0xC1], -1000),
      ("le:s12/16>>4", [0xF0, 0x7F], 2047),
      ("le:s12/16>>4", [0x00, 0x80], -2048),
      // The bits that are shifted out do not count.
      ("le:s12/16>>4", [0x8F, 0x3E], 1000),
      ("be:s12/16>>4", [0x3E, 0x80], 1000),
      ("le:s16/16>>0", [0xFF, 0xFF], -1),
      ("le:u16/16>>0", [0xFF, 0xFF], 65535),
      ("le:s8/8>>0", [0x80], -128),
      ("le:u8/8>>0", [0x80], 128),
      ("le:s20/32>>12", [0x00, 0xF0, 0xFF, 0xFF], -1),
      ("le:s64/64>>0", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], .max),
    ] as [(String, [UInt8], Int64)])
  func `raw bytes give the sensor's numbers`(
    format: String, bytes: [UInt8], value: Int64
  ) throws {
    #expect(try decode(format, bytes) == value)
  }
}
