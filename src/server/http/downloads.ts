import type { NamedFile } from '../storage/file-store.ts'
import type { FileReply } from './replies.ts'

/**
 * Makes a reply of a package that `open` opens; the slot that `takeSlot` took is freed when its last byte is out. `onSent` hears of
 * a download that was complete.
 */
export async function replyWithPackage(
  takeSlot: () => () => void,
  open: () => Promise<NamedFile>,
  onSent?: () => void,
): Promise<FileReply> {
  const leave = takeSlot()
  try {
    const { fileName, file } = await open()
    return {
      mediaType: 'application/wasm',
      size: file.size,
      headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
      stream: () => file.stream().once('close', leave),
      async close() {
        leave()
        await file.close()
      },
      ...(onSent === undefined ? {} : { onSent }),
    }
  } catch (error) {
    leave()
    throw error
  }
}
