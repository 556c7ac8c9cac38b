import { packageEtag } from '../../shared/contracts/releases.ts'
import type { ExportedFile } from '../../shared/csv.ts'
import type { NamedFile } from '../storage/file-store.ts'
import type { FileReply } from './replies.ts'

/**
 * Replies with the package that `open` opens. The slot from `takeSlot` is freed when the file is closed; `onSent` is
 * called after a complete download. A client that has the bytes gets 304 (rulings, "Package caching").
 */
export async function replyWithPackage(
  takeSlot: () => () => void,
  open: () => Promise<NamedFile>,
  onSent?: () => void,
): Promise<FileReply> {
  const freeSlot = takeSlot()
  try {
    const { fileName, sha256, file } = await open()
    return {
      mediaType: 'application/wasm',
      size: file.size,
      etag: packageEtag(sha256),
      bytes: file.bytes,
      headers: {
        'Content-Disposition': `attachment; filename="${fileName}"`,
        // RFC 9530.
        'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      },
      chunks: file.chunks,
      async close() {
        freeSlot()
        await file.close()
      },
      ...(onSent === undefined ? {} : { onSent }),
    }
  } catch (error) {
    freeSlot()
    throw error
  }
}

const exportTypes = { csv: 'text/csv', json: 'application/json', ndjson: 'application/x-ndjson' } as const

/** Streams an export. Its size is not known in advance. */
export const replyWithExport = (
  format: keyof typeof exportTypes,
  { fileName, chunks }: ExportedFile,
): FileReply => ({
  mediaType: `${exportTypes[format]}; charset=utf-8`,
  size: null,
  headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
  chunks: () => chunks,
})
