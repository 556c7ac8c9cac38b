import { app } from 'electron'
import { skillNameSchema, versionSchema } from '../shared/contracts/manifest.ts'

/**
 * The desk's page for a `skilldock://` link; null unless it is the link of a release. Links are untrusted, so they can
 * only open a page.
 */
export function readDeepLink(link: string): string | null {
  const [, name, version] = /^skilldock:\/\/release\/([^/]{1,64})\/([^/]{1,32})\/?$/.exec(link) ?? []
  if (!skillNameSchema.safeParse(name).success || !versionSchema.safeParse(version).success) return null
  return `/desk/release/${name}/${version}`
}

/** The link among the app's arguments, wherever the system has put it. */
export function findDeepLink(args: readonly string[]): string | null {
  return args.map(readDeepLink).find((path) => path !== null) ?? null
}

export interface DeepLinks {
  /** The link that the app was started with, or null. */
  first(): string | null
  /** Calls the opener with each later link. */
  onOpen(opener: (path: string) => void): void
}

/** Listens for links, which macOS delivers as events. Must be called before the app is ready, because one may start it. */
export function listenForDeepLinks(args: readonly string[]): DeepLinks {
  let first = findDeepLink(args)
  let open = (path: string): void => void (first = path)
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const path = readDeepLink(url)
    if (path !== null) open(path)
  })
  return { first: () => first, onOpen: (opener) => void (open = opener) }
}
