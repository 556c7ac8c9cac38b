// Hashes a file outside of the page, which `crypto.subtle` would block: it hashes 16 MiB in one task of 100 ms.
import { digestBytes } from './digest-bytes.ts'

addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  digestBytes(data).then(
    (hex) => postMessage(hex),
    () => postMessage(null),
  )
})
