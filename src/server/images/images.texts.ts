const accepted = 'Upload a JPEG, PNG, WebP, GIF or AVIF.'

/** The sentences about files that cannot be used as images. */
export const texts = {
  empty: `The file is empty. ${accepted}`,
  noImage: `The file does not contain an image, whatever its name says. ${accepted}`,
  otherType: (type: string) => `The file is ${type}. ${accepted}`,
  types: {
    pdf: 'a PDF',
    tiff: 'a TIFF or a raw photograph',
    bmp: 'a BMP',
    jpegXl: 'a JPEG XL',
    archive: 'an archive',
    svg: 'an SVG image, which can contain scripts',
    markup: 'an HTML or XML file',
    heic: 'a HEIC image, which few browsers support',
  },
  otherContent: 'The file starts like an image but is not one. Export it again, and upload that file.',
  tooLong: (width: number, height: number, maxSide: number) =>
    `The image is ${width} by ${height} pixels; no side may be longer than ${maxSide}. Make it smaller.`,
  tooManyPixels: (width: number, height: number, frames: number, maxPixels: number) =>
    `The image has ${width} by ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}; at most ` +
    `${maxPixels / 1_000_000} million in total are allowed. Make it smaller.`,
  incomplete: 'The image is incomplete. Upload the whole file.',
  damaged: 'The image cannot be decoded: it is damaged or incomplete. Upload it again.',
  damagedGif: 'The image is damaged: it contains data that is not part of a GIF. Export it again.',
  tooMuchMemory: 'The image needs too much memory to decode. Upload a simpler one.',
  tooSlow: 'The image took too long to decode. Upload a smaller or simpler one.',
  crashed: 'The image crashed the decoder twice. Save it again, and upload that file.',
} as const
