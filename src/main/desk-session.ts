import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { safeStorage } from 'electron'
import { z } from 'zod'
import { makeFolder, replaceFile } from '../files/durable-files.ts'
import { sessionKeySchema } from '../shared/contracts/desk-session.ts'
import { texts } from './app.texts.ts'

const stateTimeoutMs = 5000

const storedSchema = z.object({ key: sessionKeySchema })
const stateSchema = z.object({ person: z.object({}).nullable() })

export interface DeskSession {
  /** The session key for the desk's page; null if not signed in. */
  get(): string | null
  /** Called by the page after signing in or out. */
  set(key: string | null): void
  /**
   * Asks the desk at this origin whether the window is signed in, with the stored key if there is one. Deletes a key that
   * the desk rejects.
   */
  resume(origin: string): Promise<boolean>
}

interface DeskSessionOptions {
  file: string
  platform: NodeJS.Platform
}

/**
 * Keeps the window's sign-in: in memory for its pages, and for the next start in a file that the system encrypts. Where
 * the system cannot encrypt, nothing is written.
 */
export function keepDeskSession({ file, platform }: DeskSessionOptions): DeskSession {
  let current: string | null = null
  /** Counts changes, so that an outdated key that is still being encrypted, read or checked does not replace a newer one. */
  let changes = 0

  const forget = (): void => {
    changes += 1
    current = null
    rmSync(file, { force: true })
  }

  const store = async (key: string): Promise<void> => {
    changes += 1
    const change = changes
    current = key
    if (!(await canEncrypt(platform))) return
    const bytes = await safeStorage.encryptStringAsync(JSON.stringify({ key }))
    if (change !== changes) return
    makeFolder(dirname(file))
    replaceFile(file, bytes)
  }

  const read = async (): Promise<void> => {
    const before = changes
    const bytes = readBytes(file)
    if (bytes === null || !(await canEncrypt(platform))) return
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(bytes)
      const { key } = storedSchema.parse(JSON.parse(result))
      if (before !== changes) return
      current = key
      if (shouldReEncrypt) await store(key)
    } catch {
      if (before === changes) forget()
    }
  }

  const resume = async (origin: string): Promise<boolean> => {
    if (current === null) await read()
    const key = current
    if (key === null) return false
    if (await isSignedIn(origin, key)) return true
    // The page has signed in or out since the key was sent.
    if (current !== key) return resume(origin)
    forget()
    return false
  }

  return {
    get: () => current,
    set(key) {
      if (key === null) attempt(forget)
      else if (key !== current) attempt(() => store(key))
    },
    async resume(origin) {
      try {
        return await resume(origin)
      } catch {
        // If the desk does not answer, keep the key. The window signs in with a link.
        return false
      }
    },
  }
}

async function canEncrypt(platform: NodeJS.Platform): Promise<boolean> {
  // Without a system key store, Electron on Linux encrypts with a hard-coded password.
  const isWeak =
    platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
  return !isWeak && (await safeStorage.isAsyncEncryptionAvailable())
}

/** Logs a failure without the secret. The app continues, and its next start requires a sign-in. */
function attempt(work: () => void | Promise<void>): void {
  void (async () => work())().catch(() => {
    process.stderr.write(`${texts.log.signIn}\n`)
  })
}

async function isSignedIn(origin: string, key: string): Promise<boolean> {
  const response = await fetch(`${origin}/desk/api/state`, {
    headers: { authorization: `Bearer ${key}` },
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
