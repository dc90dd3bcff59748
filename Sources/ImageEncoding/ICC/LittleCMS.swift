internal import CLittleCMS
internal import ColorScience

// The one file that calls Little CMS, each time in a context of its own, so that no state is shared.

/// A matrix profile with the sRGB curve, or of linear light.
struct RGBProfileDescription {
  var description: String
  var white: Chromaticity
  var red: Chromaticity
  var green: Chromaticity
  var blue: Chromaticity
  var isLinear = false
}

/// The version of Little CMS that is loaded.
func littleCMSVersion() -> LibraryVersion {
  let version = cmsGetEncodedCMMversion()  // 2140 is 2.14
  return LibraryVersion(name: "lcms2", version: "\(version / 1000).\(version % 1000 / 10)")
}

/// Writes the profile: ICC 4.2, parametric curves, colorants adapted to D50 with Bradford.
func makeRGBProfile(_ profile: RGBProfileDescription) throws(ImageEncodingError) -> [UInt8] {
  guard let bytes = writeRGBProfile(profile) else {
    throw .libraryFailed(.littleCMS, operation: "profile creation", detail: "out of memory")
  }
  return bytes
}

private func writeRGBProfile(_ profile: RGBProfileDescription) -> [UInt8]? {
  guard let context = unsafe cmsCreateContext(nil, nil) else { return nil }
  defer { unsafe cmsDeleteContext(context) }

  // IEC 61966-2-1 as ICC function type 3 (lcms type 4):
  // Y = (aX + b)^g for X >= d, else cX; g, a, b, c, d.
  let curveParameters: [Double] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
  let built =
    unsafe profile.isLinear
    ? cmsBuildGamma(context, 1) : cmsBuildParametricToneCurve(context, 4, curveParameters)
  guard let curve = unsafe built else { return nil }
  defer { unsafe cmsFreeToneCurve(curve) }

  var white = cmsCIExyY(x: profile.white.x, y: profile.white.y, Y: 1)
  var primaries = cmsCIExyYTRIPLE(
    Red: cmsCIExyY(x: profile.red.x, y: profile.red.y, Y: 1),
    Green: cmsCIExyY(x: profile.green.x, y: profile.green.y, Y: 1),
    Blue: cmsCIExyY(x: profile.blue.x, y: profile.blue.y, Y: 1)
  )
  var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
  // The curves are copied into the profile.
  guard
    let handle = unsafe cmsCreateRGBProfileTHR(context, &white, &primaries, &curves)
  else { return nil }
  defer { unsafe cmsCloseProfile(handle) }

  // 4.2 and not the library's 4.4: nothing of the later versions is used, and old readers refuse
  // what they do not know.
  unsafe cmsSetProfileVersion(handle, 4.2)
  guard
    unsafe setText(context, handle, cmsSigProfileDescriptionTag, profile.description),
    unsafe setText(context, handle, cmsSigCopyrightTag, "No copyright, use freely")
  else { return nil }

  var byteCount: UInt32 = 0
  guard unsafe cmsSaveProfileToMem(handle, nil, &byteCount) != 0 else { return nil }
  var bytes = [UInt8](repeating: 0, count: Int(byteCount))
  guard unsafe cmsSaveProfileToMem(handle, &bytes, &byteCount) != 0 else { return nil }
  guard bytes.count >= 128 else { return nil }
  // Bytes 24-35 of the header are the moment of creation (ICC.1:2004 7.2.8), which would differ from
  // file to file: the profile's content stands since this day.
  bytes.replaceSubrange(24..<36, with: [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
  // Bytes 84-99 are the profile ID, an MD5 over the rest; zero means "not computed".
  bytes.replaceSubrange(84..<100, with: repeatElement(0, count: 16))
  return bytes
}

@unsafe
private func setText(
  _ context: cmsContext,
  _ profile: cmsHPROFILE,
  _ tag: cmsTagSignature,
  _ text: String
) -> Bool {
  guard let localized = unsafe cmsMLUalloc(context, 1) else { return false }
  defer { unsafe cmsMLUfree(localized) }
  guard unsafe cmsMLUsetASCII(localized, "en", "US", text) != 0 else { return false }
  return unsafe cmsWriteTag(profile, tag, UnsafeRawPointer(localized)) != 0
}
