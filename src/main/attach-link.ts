import { texts } from './app.texts.ts'

const prefix = '--attach='

/** An invalid `--attach` option. */
export class AttachLinkError extends Error {
  override readonly name = 'AttachLinkError'
}

/**
 * The sign-in link of services run by another process, from the app's command line, or null. Throws if it
 * does not lead to a desk on this computer, because the window must show nothing else.
 */
export function readAttachLink(args: readonly string[]): URL | null {
  // Arguments after `--` come from an opened link and are not options.
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  const option = options.find((candidate) => candidate.startsWith(prefix))
  if (option === undefined) return null
  const link = URL.parse(option.slice(prefix.length))
  const isDesk =
    link !== null &&
    link.protocol === 'http:' &&
    /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/.test(link.hostname) &&
    link.pathname.startsWith('/desk/')
  if (!isDesk) throw new AttachLinkError(texts.log.invalidLink)
  return link
}
