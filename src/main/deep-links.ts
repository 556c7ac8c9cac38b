import { app } from 'electron'
import { skillNameSchema, versionSchema } from '../shared/contracts/releases.ts'

/**
 * The page of the desk that a link of `skilldock://` opens, or null where it is not exactly a release's. A link
 * comes from anywhere: it opens a page and does nothing else.
 */
export function readDeepLink(link: string): string | null {
  const [, name, version] = /^skilldock:\/\/release\/([^/]{1,64})\/([^/]{1,32})\/?$/.exec(link) ?? []
  if (!skillNameSchema.safeParse(name).success || !versionSchema.safeParse(version).success) return null
  return `/desk/release/${name}/${version}`
}

/** The link among the words that an app was started with, wherever the system has put it. */
export function findDeepLink(words: readonly string[]): string | null {
  return words.map(readDeepLink).find((path) => path !== null) ?? null
}

export interface DeepLinks {
  /** The link that the app was started with; null where it was none. */
  first(): string | null
  /** Calls the opener with each one that comes from now on. */
  onOpen(opener: (path: string) => void): void
}

/** Hears the links that macOS brings by an event; to be called before the app is ready, for one may start it. */
export function listenForDeepLinks(words: readonly string[]): DeepLinks {
  let first = findDeepLink(words)
  let open = (path: string): void => void (first = path)
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const path = readDeepLink(url)
    if (path !== null) open(path)
  })
  return { first: () => first, onOpen: (opener) => void (open = opener) }
}
