import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageType } from '../../shared/contracts/images.ts'
import { headBytes, typeOf } from '../images/image-type.ts'
import { verifyImagesRepository } from '../domains/uploads/verify-images.repository.ts'
import type { Check } from './run-checks.ts'

/** Types per page. */
const rowsAtOnce = 500

/** Checks the stored type of each image and rendition against the first bytes of its file. */
export const imageTypesCheck: Check = {
  name: 'image types',
  *find({ connection, images }) {
    // In a backup, images come after the database.
    if (images === null) return
    const rows = verifyImagesRepository(connection)
    let last = { sha256: '', type: '' }
    for (;;) {
      const page = rows.listTypes(last, rowsAtOnce)
      if (page.length === 0) return
      for (const { sha256, type } of page) {
        const actual = readType(join(images, sha256))
        if (actual === null || actual === type) continue
        yield {
          problem: `pictures/${sha256}: its recorded type is ${type}, but the file is ${actual}`,
          repair: () => rows.saveType(sha256, actual),
        }
      }
      last = page.at(-1) ?? last
    }
  },
}

/** Null for a missing or damaged file, which the digest check reports. */
function readType(path: string): ImageType | null {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(headBytes)
      return typeOf(head.subarray(0, readSync(file, head)))
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
