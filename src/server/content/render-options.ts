/** An image of the library on a page. */
export interface ShownImage {
  src: string
  /** Of the image in `src`, upright. */
  width: number
  height: number
  srcset?: string
  sizes?: string
}

/** An image of the library in the desk, which requests it with its session key. */
export interface DeskImage {
  sha256: string
  width: number
  height: number
}

/**
 * Who reads the HTML, which differs only in a few additions:
 * - `public`: readers of the public pages and the feed;
 * - `author`: previews of posts in the desk; links open a new tab, and images that are still being uploaded have a
 *   placeholder;
 * - `reviewer`: reviews of a text in the desk; links open a new tab, invisible characters are shown as code points, and
 *   headings start one level lower, below those of the desk.
 */
export type Audience = 'public' | 'author' | 'reviewer'

export interface RenderOptions {
  /** Default: `public`. */
  audience?: Audience
  /** Images that can be shown, by their digests. */
  images?: ReadonlyMap<string, ShownImage | DeskImage>
}

export interface Rewriting {
  /** Number of levels by which headings are lowered, at most to the sixth. */
  headingShift?: number
  /** The addresses of images by their digests; other references stay unchanged. */
  images?: ReadonlyMap<string, string>
}
