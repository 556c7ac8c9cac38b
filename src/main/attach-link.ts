const prefix = '--attach='

/** Words of the app's command line that cannot be used. */
export class AttachLinkError extends Error {
  override readonly name = 'AttachLinkError'
}

/**
 * The sign-in link of services that another process runs, from the app's command line; null where there is
 * none. Throws where it is no address of a desk on this computer: the window shows nothing else.
 */
export function readAttachLink(words: readonly string[]): URL | null {
  // What follows it comes from a link that somebody has opened, and is no option.
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  const word = options.find((candidate) => candidate.startsWith(prefix))
  if (word === undefined) return null
  const link = URL.parse(word.slice(prefix.length))
  const isDesk =
    link !== null &&
    link.protocol === 'http:' &&
    /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/.test(link.hostname) &&
    link.pathname.startsWith('/desk/')
  if (!isDesk) throw new AttachLinkError(`${prefix} takes a link to a desk on this computer.`)
  return link
}
