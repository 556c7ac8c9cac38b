import type { Image } from '../../../shared/contracts/images.ts'
import type { Connection, Database } from '../../db/database.ts'
import { imageRepository } from './images.repository.ts'
import type { ImageUseKind } from './images.repository.ts'

export interface ImageUses {
  /**
   * Replaces the recorded images of a post or project. To be called inside `transact`. Ignores images that don't
   * exist.
   */
  recordUses(kind: ImageUseKind, ownerId: number, sha256s: readonly string[]): void
}

/** For domains whose content uses images. `connection` is the writing connection. */
export function createImageUses(connection: Connection): ImageUses {
  return { recordUses: imageRepository(connection).recordUses }
}

export interface ImageLookup {
  /** Null if there is no such image. */
  findImage(sha256: string): Image | null
  /** The existing ones among these images, in the given order, each once. */
  findImages(sha256s: readonly string[]): Image[]
}

/** Reads the metadata of images, for pages and documents. */
export function createImageLookup(database: Pick<Database, 'reader'>): ImageLookup {
  const images = imageRepository(database.reader)
  return {
    findImage: images.find,
    findImages: (sha256s) =>
      [...new Set(sha256s)].map(images.find).filter((image): image is Image => image !== null),
  }
}
