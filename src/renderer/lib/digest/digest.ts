import { digestBytes } from './digest-bytes.ts'

/** Bytes that are hashed in the page, because starting a worker takes longer. */
const maxInPage = 1024 * 1024

/** The SHA-256 of a file, in lowercase hex. Rejects if the file cannot be read. */
export async function digestOf(file: Blob): Promise<string> {
  if (file.size <= maxInPage) return digestBytes(file)
  const worker = new Worker(new URL('./digest-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = (): void => reject(new Error('The digest could not be computed.'))
      worker.addEventListener('message', ({ data }: MessageEvent<string | null>) =>
        data === null ? fail() : resolve(data),
      )
      worker.addEventListener('error', fail)
      worker.postMessage(file, [])
    })
  } finally {
    worker.terminate()
  }
}
