/** The file of an AppImage: the program itself runs from a place that is gone with it. */
export function appImageFile(): string | null {
  return process.env['APPIMAGE'] ?? null
}
