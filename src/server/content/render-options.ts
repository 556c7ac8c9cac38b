/** A picture of the library as a page shows it. */
export interface ShownImage {
  src: string
  /** Upright, of the picture in `src`. */
  width: number
  height: number
  srcset?: string
  sizes?: string
}

/** A picture of the library in the desk, which requests it with its session key. */
export interface DeskImage {
  sha256: string
  width: number
  height: number
}

/**
 * Who reads the HTML, which is the same for all but for a few additions:
 * - `public`: readers of the public pages and the feed;
 * - `author`: whoever previews a post in the desk; links open a new tab, and pictures that are still being uploaded
 *   have a placeholder;
 * - `reviewer`: whoever reviews a text in the desk; links open a new tab, invisible characters are shown as their
 *   code points, and headings start one level lower, below those of the desk.
 */
export type Audience = 'public' | 'author' | 'reviewer'

export interface RenderOptions {
  /** `public` unless it says otherwise. */
  audience?: Audience
  /** The pictures that can be shown, by the digest that Markdown names them by. */
  pictures?: ReadonlyMap<string, ShownImage | DeskImage>
}

export interface Rewriting {
  /** Levels by which headings go down; none goes below the sixth. */
  headingShift?: number
  /** The addresses of pictures by their digests; one that is not among them stays as it is written. */
  pictures?: ReadonlyMap<string, string>
}
