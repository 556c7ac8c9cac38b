import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageType } from '../../shared/contracts/images.ts'
import { headBytes, typeOf } from '../images/picture-type.ts'
import { pictureAuditRepository } from '../domains/uploads/picture-audit.repository.ts'
import type { Check } from './check.ts'

/** Types that are read at once. */
const rowsAtOnce = 500

/** The type that is noted with each image and each of its copies, against the first bytes of its file. */
export const imageTypesCheck: Check = {
  name: 'image types',
  *find({ connection, images }) {
    // A backup has its images behind its database.
    if (images === null) return
    const audit = pictureAuditRepository(connection)
    let last = { sha256: '', type: '' }
    for (;;) {
      const page = audit.listTypes(last, rowsAtOnce)
      if (page.length === 0) return
      for (const { sha256, type } of page) {
        const actual = readType(join(images, sha256))
        if (actual === null || actual === type) continue
        yield {
          problem: `pictures/${sha256}: it is noted as ${type}, and the file is ${actual}`,
          repair: () => audit.saveType(sha256, actual),
        }
      }
      last = page.at(-1) ?? last
    }
  },
}

/** Null for a file that is missing or damaged, which is named where its digest is compared. */
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
