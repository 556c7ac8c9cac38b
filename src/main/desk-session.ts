import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { safeStorage } from 'electron'
import type { Cookie, Cookies } from 'electron'
import { z } from 'zod'
import { replaceFile } from '../files/durable-files.ts'

const namePrefix = 'skilldock-desk-'
const path = '/desk'
const stateTimeoutMs = 5000
/** Seconds: the desk renews its cookie each time it is opened, which alone is not worth a new file. */
const renewAfter = 24 * 3600

const keptSchema = z.object({
  name: z.string().startsWith(namePrefix),
  value: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  expirationDate: z.number(),
})
type Kept = z.infer<typeof keptSchema>

const stateSchema = z.object({ person: z.object({}).nullable() })

export interface DeskSession {
  /**
   * Whether the window is signed in at the desk of this origin, which is asked; a sign-in that was kept is
   * brought back first, and forgotten where the desk does not take it any more.
   */
  resume(origin: string): Promise<boolean>
}

export interface DeskSessionOptions {
  /** Those of the window. */
  cookies: Cookies
  file: string
  platform: NodeJS.Platform
  origin(): string | null
}

/** Keeps the window's sign-in between two starts, encrypted by the system; where that cannot be, not at all. */
export function keepDeskSession({ cookies, file, platform, origin }: DeskSessionOptions): DeskSession {
  let kept: Kept | null = null
  /** What the last change of the cookie asks for; an older one that is still being encrypted is dropped. */
  let changes = 0

  const forget = (): void => {
    changes += 1
    kept = null
    rmSync(file, { force: true })
  }

  const keep = async (next: Kept): Promise<void> => {
    changes += 1
    const change = changes
    if (!(await canEncrypt(platform))) return
    const bytes = await safeStorage.encryptStringAsync(JSON.stringify(next))
    if (change !== changes) return
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, bytes)
    kept = next
  }

  const read = async (): Promise<Kept | null> => {
    const bytes = readBytes(file)
    if (bytes === null || !(await canEncrypt(platform))) return null
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(bytes)
      const found = keptSchema.parse(JSON.parse(result))
      // One that is not known as kept is written anew as soon as it is a cookie.
      kept = shouldReEncrypt ? null : found
      return found
    } catch {
      forget()
      return null
    }
  }

  /** The cookies that the window has for this desk, and else the one that was kept. */
  const find = async (at: string): Promise<{ name: string; value: string }[]> => {
    const url = `${at}${path}/`
    const held = (await cookies.get({ url })).filter(({ name }) => name.startsWith(namePrefix))
    if (held.length > 0) return held
    const found = await read()
    if (found === null) return []
    await cookies.set({ ...found, url, path, httpOnly: true, sameSite: 'strict' })
    return [found]
  }

  cookies.on('changed', (_event, cookie, cause, isRemoved) => {
    if (!isDeskCookie(cookie, origin())) return
    // An overwritten cookie is told of as removed, and then the new one.
    if (isRemoved && cause === 'overwrite') return
    if (isRemoved) attempt(forget)
    else if (isWorthKeeping(cookie, kept)) attempt(() => keep(keptSchema.parse(cookie)))
  })

  return {
    async resume(at) {
      try {
        const found = await find(at)
        if (found.length === 0) return false
        if (await isSignedIn(at, found)) return true
        await Promise.all(found.map(({ name }) => cookies.remove(`${at}${path}/`, name)))
        forget()
      } catch {
        // A desk that does not answer has not refused: what was kept stays, and the usual way goes on.
      }
      return false
    },
  }
}

async function canEncrypt(platform: NodeJS.Platform): Promise<boolean> {
  // Without a key store of the system, Linux would encrypt with a password that everybody knows.
  const isWeak =
    platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
  return !isWeak && (await safeStorage.isAsyncEncryptionAvailable())
}

function isDeskCookie(cookie: Cookie, origin: string | null): boolean {
  return (
    origin !== null &&
    cookie.name.startsWith(namePrefix) &&
    cookie.domain === new URL(origin).hostname &&
    cookie.path === path
  )
}

function isWorthKeeping(cookie: Cookie, kept: Kept | null): boolean {
  return (
    kept === null ||
    cookie.name !== kept.name ||
    cookie.value !== kept.value ||
    Math.abs((cookie.expirationDate ?? 0) - kept.expirationDate) > renewAfter
  )
}

/** Without any word of what was to be kept: the app goes on, and only asks for a sign-in at its next start. */
function attempt(work: () => void | Promise<void>): void {
  void (async () => work())().catch(() => {
    process.stderr.write('The sign-in at the desk cannot be kept for the next start.\n')
  })
}

async function isSignedIn(origin: string, cookies: { name: string; value: string }[]): Promise<boolean> {
  const response = await fetch(`${origin}${path}/api/state`, {
    headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
    redirect: 'error',
    signal: AbortSignal.timeout(stateTimeoutMs),
  })
  if (!response.ok) throw new Error(`The desk answers with ${response.status}.`)
  return stateSchema.parse(await response.json()).person !== null
}

function readBytes(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}
