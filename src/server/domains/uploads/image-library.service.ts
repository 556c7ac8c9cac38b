import type { ImageRow } from '../../../shared/contracts/desk-images.ts'
import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import type { Rendition } from '../../../shared/contracts/images.ts'
import { imageFileName } from '../../../shared/contracts/images.ts'
import { DomainError } from '../../../shared/errors.ts'
import { createPastTimes } from '../../../shared/past-times.ts'
import type { Database } from '../../db/database.ts'
import { DamagedFileError } from '../../storage/file-store.ts'
import type { FileStore, StoredFile } from '../../storage/file-store.ts'
import { imageListRepository } from './image-list.repository.ts'
import type { ImageUse } from './image-list.repository.ts'
import { imageRepository } from './images.repository.ts'
import type { StoredPicture } from './images.repository.ts'
import { unusedPictureMs } from './stranger-limits.service.ts'
import type { InTurn } from './turns.rules.ts'

export interface ImageLibraryParts {
  database: Database
  pictures: FileStore
  /** Shared with whoever adds pictures. */
  inTurn: InTurn
  clock?: () => Date
}

export interface OpenPicture {
  type: string
  sha256: string
  file: StoredFile
}

/** Pictures that are forgotten at once, so that requests come in between. */
const forgottenAtOnce = 20

const notFound = (): DomainError => new DomainError('NOT_FOUND', 'There is no such picture.')

/** What is there of pictures: to list, to serve and to remove. */
export function createImageLibrary(parts: ImageLibraryParts) {
  const { database, pictures, inTurn, clock = () => new Date() } = parts
  const reading = imageRepository(database.reader)
  const lists = imageListRepository(database.reader)
  const readPastTime = createPastTimes()
  const writing = imageRepository(database.writer)

  const open = async (picture: StoredPicture | null): Promise<OpenPicture> => {
    if (picture === null) throw notFound()
    try {
      return { type: picture.type, sha256: picture.sha256, file: await pictures.open(picture.sha256) }
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      throw new DomainError(
        'STORAGE_UNAVAILABLE',
        'The picture is damaged on this server and is not served. Send it again, which mends it.',
        { retryAfter: 3600, cause: error },
      )
    }
  }

  /** `SHA256.ending`, as pages and uploads name it. */
  const findByName = (file: string, find: (sha256: string) => StoredPicture | null): StoredPicture | null => {
    database.assertAvailable()
    const sha256 = /^([a-f0-9]{64})\.[a-z]{3,4}$/.exec(file)?.[1]
    const picture = sha256 === undefined ? null : find(sha256)
    return picture === null || imageFileName(picture.sha256, picture.type) !== file ? null : picture
  }

  const isForgottenAt = (uploadedAt: string, now: Date): boolean =>
    readPastTime(uploadedAt, now) < now.getTime() - unusedPictureMs

  const isForgotten = (sha256: string, now: Date): boolean => {
    const image = writing.find(sha256)
    if (image === null || image.uploadedBy !== null) return false
    return isForgottenAt(image.uploadedAt, now) && !writing.isUsed(sha256)
  }

  /** Removes a picture that nothing uses, then the files that belong to no other picture. */
  const remove = (sha256: string, mayGo: () => boolean): Promise<void> =>
    inTurn(async () => {
      const files = await database.transact(() => {
        const image = writing.find(sha256)
        if (image === null || !mayGo()) return []
        const all = new Set([sha256, ...image.renditions.map((rendition) => rendition.sha256)])
        writing.remove(sha256)
        return [...all].filter((file) => !writing.isStored(file))
      })
      await Promise.all(files.map((file) => pictures.remove(file)))
    })

  return {
    listImages(query: { use?: ImageUse | undefined; offset: number }) {
      database.assertAvailable()
      const use = query.use ?? 'all'
      const items = lists.list(use, deskPageSize, query.offset).flatMap((sha256): ImageRow[] => {
        const image = reading.find(sha256)
        return image === null ? [] : [{ ...image, usedBy: lists.listUses(sha256) }]
      })
      return { items, ...lists.sum(use) }
    },

    async deleteImage(sha256: string): Promise<void> {
      database.assertAvailable()
      if (reading.findUpload(sha256) === null) throw notFound()
      await remove(sha256, () => {
        if (!writing.isUsed(sha256)) return true
        throw new DomainError(
          'IMAGE_IN_USE',
          'A post or a project names this picture. Take it out there first.',
        )
      })
    },

    openUpload: (file: string) => open(findByName(file, reading.findUpload)),
    openMedia: (file: string) => open(findByName(file, reading.findRendition)),

    openRendition(sha256: string, step: Rendition['step']) {
      database.assertAvailable()
      return open(reading.find(sha256)?.renditions.find((rendition) => rendition.step === step) ?? null)
    },

    /** Removes what strangers sent a day ago and no project uses; gives how many. */
    async sweep(): Promise<number> {
      const now = clock()
      const before = new Date(now.getTime() - unusedPictureMs).toISOString()
      let removed = 0
      for (;;) {
        const ahead = reading
          .listUnusedAfter(now.toISOString(), forgottenAtOnce)
          .filter(({ uploadedAt }) => isForgottenAt(uploadedAt, now))
          .map(({ sha256 }) => sha256)
        const forgotten = [...reading.listForgotten(before, forgottenAtOnce), ...ahead]
        for (const sha256 of forgotten) {
          // oxlint-disable-next-line no-await-in-loop
          await remove(sha256, () => isForgotten(sha256, now))
        }
        removed += forgotten.length
        if (forgotten.length < forgottenAtOnce) return removed
      }
    },
  }
}

export type ImageLibrary = ReturnType<typeof createImageLibrary>
