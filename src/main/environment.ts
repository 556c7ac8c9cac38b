/** The file of an AppImage, which runs the program from a temporary mount. */
export function appImageFile(): string | null {
  return process.env['APPIMAGE'] ?? null
}
