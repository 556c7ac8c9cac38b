import type { Rendition } from '../../shared/contracts/images.ts'
import { imageFileName } from '../../shared/contracts/images.ts'
import type { MirrorState } from '../../shared/contracts/mirror.ts'
import { trimEndCharacters } from '../../shared/trim-characters.ts'

/** Data that every page needs. */
export interface Site {
  /** The public URL of the registry, without a trailing slash. */
  url: string
  /** The path of `url`, which prefixes every link: behind a proxy the registry may be below a path. */
  base: string
  /** Name of the stylesheet's file. */
  styles: string
  /** Name of the icon's file. */
  mark: string
  /** Font files to preload. */
  preload: readonly string[]
  /** Number of skills with an approved release. */
  skills: number
  /** Null unless this registry is a mirror. */
  mirror: MirrorState | null
}

export const siteName = 'Skilldock'

export function siteAt(url: string): Pick<Site, 'url' | 'base'> {
  return { url, base: trimEndCharacters(new URL(url).pathname, '/') }
}

export const skillPath = (name: string, version: string): string => `/skills/${name}/${version}`

export const mediaPath = ({ sha256, type }: Pick<Rendition, 'sha256' | 'type'>): string =>
  `/media/${imageFileName(sha256, type)}`

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `12 Oct 2026`, in UTC. */
export function dayOf(instant: string): string {
  const date = new Date(instant)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`
}

/** `184,302` */
export function countOf(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 skill`, `2 skills` */
export function plural(count: number, one: string): string {
  return `${countOf(count)} ${one}${count === 1 ? '' : 's'}`
}

/** A rounded size: `142 KB`, `1.9 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte')
  const value = bytes < 999_500 ? bytes / 1000 : bytes / 1_000_000
  return `${value >= 9.95 ? Math.round(value) : value.toFixed(1).replace(/\.0$/, '')} ${bytes < 999_500 ? 'KB' : 'MB'}`
}

/** `a, b and c` */
export function listWords(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
