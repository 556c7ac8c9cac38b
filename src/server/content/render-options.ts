/** A picture of the library as a page shows it. */
export interface ShownImage {
  src: string
  /** Upright, of the picture in `src`. */
  width: number
  height: number
  srcset?: string
  sizes?: string
}

export interface RenderOptions {
  /** Where the picture that Markdown names by its digest is; null where it must not or cannot be shown. */
  image?(sha256: string): ShownImage | null
  /** How many levels the headings stand below those of the Markdown, for the page has its own above them. */
  headingShift?: number
}
