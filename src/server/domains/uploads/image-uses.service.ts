import type { Image } from '../../../shared/contracts/images.ts'
import type { Connection, Database } from '../../db/database.ts'
import { imageRepository } from './images.repository.ts'

/** For domains whose content uses images. `connection` is the writing connection. */
export const createImageUses = (connection: Connection) => ({
  /**
   * Replaces the recorded images of a post or project. To be called inside `transact`. Ignores images that don't
   * exist.
   */
  recordUses: imageRepository(connection).recordUses,
})

export type ImageUses = ReturnType<typeof createImageUses>

/** Reads the metadata of images, for pages and documents. */
export function createImageLookup(database: Pick<Database, 'reader'>) {
  const images = imageRepository(database.reader)
  return {
    /** Null if there is no such image. */
    findImage: images.find,
    /** The existing ones among these images, in the given order, each once. */
    findImages: (sha256s: readonly string[]): Image[] =>
      [...new Set(sha256s)].map(images.find).filter((image): image is Image => image !== null),
  }
}

export type ImageLookup = ReturnType<typeof createImageLookup>
