import type { Readable } from 'node:stream'

/** A received file under a temporary name, not yet part of the store. */
export interface ReceivedFile {
  /** Path of the temporary file, for checks that read it. */
  readonly path: string
  /** Lowercase hex SHA-256. */
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

export interface StoredFile {
  /** Bytes. */
  readonly size: number
  /** The whole content, if it is in memory. */
  readonly bytes?: Buffer
  /** The bytes in order. Each chunk is valid until the next one is requested, since its buffer is used again. */
  chunks(): AsyncIterable<Buffer>
  close(): Promise<void>
}

/** A stored file with its name for clients. */
export interface NamedFile {
  /** Safe in a header. */
  fileName: string
  sha256: string
  file: StoredFile
}

/** Thrown by `FileStore.open` if the file is missing or no longer matches its digest. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
  readonly sha256: string
  readonly damage: 'missing' | 'changed'

  constructor(sha256: string, damage: 'missing' | 'changed') {
    super(`The file ${sha256} is ${damage}`)
    this.sha256 = sha256
    this.damage = damage
  }
}

/** Files named by the SHA-256 of their bytes. */
export interface FileStore {
  /** Streams bytes to a temporary file, hashes and flushes it. After an error, nothing is left behind. */
  receive(source: Readable): Promise<ReceivedFile>
  /** Removes a received file; never touches a stored one. */
  discard(file: ReceivedFile): Promise<void>
  /** Gives a received file its final name and flushes the folder; identical files are stored once. */
  keep(file: ReceivedFile): Promise<void>
  /** Opens a file after checking it against its digest. Throws DamagedFileError. */
  open(sha256: string): Promise<StoredFile>
  /**
   * The path of a file after checking it against its digest, for callers that can't stream. Throws DamagedFileError.
   */
  locate(sha256: string): Promise<string>
  /** Removes a stored file that is no longer used. */
  remove(sha256: string): Promise<void>
  /** Throws if no file could be received at the moment. */
  tryWrite(): Promise<void>
  /** Removes received files that an earlier run did not keep. Only before files are received. */
  clear(): Promise<void>
  /** Removes all kept files that `isUsed` rejects; returns their number. */
  sweep(isUsed: (sha256: string) => boolean): Promise<number>
}
