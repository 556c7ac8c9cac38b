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
  /** The pictures that can be shown, by the digest that Markdown names them by. */
  pictures?: ReadonlyMap<string, ShownImage>
  /** How many levels the headings stand below those of the Markdown, for the page has its own above them. */
  headingShift?: number
}

export interface Rewriting {
  /** Levels by which headings go down; none goes below the sixth. */
  headingShift?: number
  /** The addresses of pictures by their digests; one that is not among them stays as it is written. */
  pictures?: ReadonlyMap<string, string>
}
