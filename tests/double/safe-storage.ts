import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import type { App } from './app.ts'
import { strict } from './strict.ts'

/** Chromium's names of the Linux key stores, and Electron's. */
const backends: Record<string, string> = {
  basic: 'basic_text',
  'gnome-libsecret': 'gnome_libsecret',
  kwallet: 'kwallet',
  kwallet5: 'kwallet5',
  kwallet6: 'kwallet6',
}

/**
 * The system's key store, with one key that persists across starts. As on Linux, `--password-store` selects the
 * backend; without it, the desktop is not recognized and text is not encrypted.
 */
export function createSafeStorage(app: App) {
  const word = process.argv.find((candidate) => candidate.startsWith('--password-store='))
  const backend = backends[word?.slice(word.indexOf('=') + 1) ?? 'basic'] ?? 'basic_text'
  let key: Buffer | null = null
  const getKey = (): Buffer => {
    if (!app.isReady()) throw new Error('safeStorage cannot be used before app is ready')
    key ??= scryptSync('the key store of the double', 'skilldock', 32)
    return key
  }
  return strict('safeStorage', {
    getSelectedStorageBackend: (): string => (app.isReady() ? backend : 'unknown'),
    isAsyncEncryptionAvailable: async (): Promise<boolean> => app.isReady(),
    async encryptStringAsync(text: string): Promise<Buffer> {
      const start = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', getKey(), start)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([start, cipher.getAuthTag(), body])
    },
    async decryptStringAsync(encrypted: Buffer) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', getKey(), encrypted.subarray(0, 12))
        decipher.setAuthTag(encrypted.subarray(12, 28))
        const result = Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()])
        return { result: result.toString('utf8'), shouldReEncrypt: false }
      } catch {
        throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.')
      }
    },
  })
}
