import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { safeStorage } from 'electron'
import { z } from 'zod'
import { replaceFile } from '../files/durable-files.ts'
import { sessionKeySchema } from '../shared/contracts/desk-session.ts'

const stateTimeoutMs = 5000

const storedSchema = z.object({ key: sessionKeySchema })
const stateSchema = z.object({ person: z.object({}).nullable() })

export interface DeskSession {
  /** The session key for the desk's page; null while nobody is signed in. */
  get(): string | null
  /** What the page says after signing in or out. */
  set(key: string | null): void
  /**
   * Whether the window is signed in at the desk of this origin, which is asked. A key that was stored is read first,
   * and forgotten if the desk refuses it.
   */
  resume(origin: string): Promise<boolean>
}

export interface DeskSessionOptions {
  file: string
  platform: NodeJS.Platform
}

/**
 * Keeps the window's sign-in: in memory for its pages, and for the next start in a file that the system encrypts. Where
 * the system cannot encrypt, nothing is written.
 */
export function keepDeskSession({ file, platform }: DeskSessionOptions): DeskSession {
  let current: string | null = null
  /** Counts the changes, so that an older one that is still being encrypted is dropped. */
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
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, bytes)
  }

  const read = async (): Promise<void> => {
    const bytes = readBytes(file)
    if (bytes === null || !(await canEncrypt(platform))) return
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(bytes)
      const { key } = storedSchema.parse(JSON.parse(result))
      current = key
      if (shouldReEncrypt) await store(key)
    } catch {
      forget()
    }
  }

  return {
    get: () => current,
    set(key) {
      if (key === null) attempt(forget)
      else if (key !== current) attempt(() => store(key))
    },
    async resume(origin) {
      try {
        if (current === null) await read()
        if (current === null) return false
        if (await isSignedIn(origin, current)) return true
        forget()
      } catch {
        // A desk that does not answer has not refused: the key stays, and the window signs in as usual.
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

/** Reports a failure without what was to be stored: the app goes on, and its next start asks for a sign-in. */
function attempt(work: () => void | Promise<void>): void {
  void (async () => work())().catch(() => {
    process.stderr.write('The sign-in at the desk cannot be kept for the next start.\n')
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
