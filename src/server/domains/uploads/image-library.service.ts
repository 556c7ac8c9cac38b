import type { ImageRow } from '../../../shared/contracts/desk-images.ts'
import { deskPageSize } from '../../../shared/list-page.ts'
import type { RenditionStep } from '../../../shared/contracts/images.ts'
import { imageFileName } from '../../../shared/contracts/images.ts'
import { DomainError } from '../../../shared/errors.ts'
import { createPastTimes } from '../../../shared/past-times.ts'
import type { Database } from '../../db/database.ts'
import { DamagedFileError } from '../../storage/file-store.ts'
import type { FileStore, StoredFile } from '../../storage/file-store.ts'
import { imageListRepository } from './image-list.repository.ts'
import type { ImageUse } from './image-list.repository.ts'
import { imageRepository } from './images.repository.ts'
import type { StoredImage } from './images.repository.ts'
import { unusedImageMs } from './anonymous-limits.service.ts'
import type { RunExclusive } from './mutex.rules.ts'
import { texts } from './uploads.texts.ts'

interface ImageLibraryParts {
  database: Database
  imageFiles: FileStore
  /** Shared with the service that adds images. */
  runExclusive: RunExclusive
  clock?: () => Date
}

export interface OpenImage {
  type: string
  sha256: string
  file: StoredFile
}

/** Images deleted per batch of a sweep; requests are handled between batches. */
const sweepBatchSize = 20

const notFound = (): DomainError => new DomainError('NOT_FOUND', texts.noImage)

/** Listing, serving and deleting images. */
export function createImageLibrary(parts: ImageLibraryParts) {
  const { database, imageFiles, runExclusive, clock = () => new Date() } = parts
  const reading = imageRepository(database.reader)
  const lists = imageListRepository(database.reader)
  const readPastTime = createPastTimes()
  const writing = imageRepository(database.writer)

  const open = async (image: StoredImage | null): Promise<OpenImage> => {
    if (image === null) throw notFound()
    try {
      return { type: image.type, sha256: image.sha256, file: await imageFiles.open(image.sha256) }
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      throw new DomainError('STORAGE_UNAVAILABLE', texts.damagedImage, { retryAfter: 3600, cause: error })
    }
  }

  /** `file` is `SHA256.EXTENSION`. */
  const findByName = (file: string, find: (sha256: string) => StoredImage | null): StoredImage | null => {
    database.assertAvailable()
    const sha256 = /^([a-f0-9]{64})\.[a-z]{3,4}$/.exec(file)?.[1]
    const image = sha256 === undefined ? null : find(sha256)
    return image === null || imageFileName(image.sha256, image.type) !== file ? null : image
  }

  const isExpired = (uploadedAt: string, now: Date): boolean =>
    readPastTime(uploadedAt, now) < now.getTime() - unusedImageMs

  const maySweep = (sha256: string, now: Date): boolean => {
    const image = writing.find(sha256)
    if (image === null || image.uploadedBy !== null) return false
    return isExpired(image.uploadedAt, now) && !writing.isUsed(sha256)
  }

  /** Deletes an unused image, then its files unless other images share them. */
  const remove = (sha256: string, mayDelete: () => boolean): Promise<void> =>
    runExclusive(async () => {
      const files = await database.transact(() => {
        const image = writing.find(sha256)
        if (image === null || !mayDelete()) return []
        const all = new Set([sha256, ...image.renditions.map((rendition) => rendition.sha256)])
        writing.remove(sha256)
        return [...all].filter((file) => !writing.isStored(file))
      })
      await Promise.all(files.map((file) => imageFiles.remove(file)))
    })

  return {
    listImages(query: { use?: ImageUse | undefined; offset: number }) {
      database.assertAvailable()
      const list = lists[query.use ?? 'all']
      const items = list.page(deskPageSize, query.offset).flatMap((sha256): ImageRow[] => {
        const image = reading.find(sha256)
        return image === null ? [] : [{ ...image, usedBy: lists.listUses(sha256) }]
      })
      return { items, ...list.sum() }
    },

    async deleteImage(sha256: string): Promise<void> {
      database.assertAvailable()
      if (reading.findUpload(sha256) === null) throw notFound()
      await remove(sha256, () => {
        if (!writing.isUsed(sha256)) return true
        throw new DomainError('IMAGE_IN_USE', texts.imageInUse)
      })
    },

    openUpload: (file: string) => open(findByName(file, reading.findUpload)),
    openMedia: (file: string) => open(findByName(file, reading.findRendition)),

    openRendition(sha256: string, step: RenditionStep) {
      database.assertAvailable()
      return open(reading.find(sha256)?.renditions.find((rendition) => rendition.step === step) ?? null)
    },

    /** Deletes anonymous uploads that are older than a day and unused. Returns their number. */
    async sweep(): Promise<number> {
      const now = clock()
      const before = new Date(now.getTime() - unusedImageMs).toISOString()
      let removed = 0
      for (;;) {
        const ahead = reading
          .listUnusedAfter(now.toISOString(), sweepBatchSize)
          .filter(({ uploadedAt }) => isExpired(uploadedAt, now))
          .map(({ sha256 }) => sha256)
        const expired = [...reading.listUnusedBefore(before, sweepBatchSize), ...ahead]
        for (const sha256 of expired) {
          await remove(sha256, () => maySweep(sha256, now))
        }
        removed += expired.length
        if (expired.length < sweepBatchSize) return removed
      }
    },
  }
}

export type ImageLibrary = ReturnType<typeof createImageLibrary>
