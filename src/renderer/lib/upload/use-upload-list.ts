import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Image } from '../../../shared/contracts/images.ts'
import { asApiError } from '../server/api-error.ts'
import { refuseFile, uploadImage } from './upload-image.ts'
import type { Upload, UploadProgress } from './upload.ts'

/** An image upload that is queued, in progress or failed. */
export interface ListedUpload {
  key: number
  file: File
  progress: UploadProgress
  /** Why it failed, or null. */
  failure: string | null
  /** Whether it is queued. */
  waiting: boolean
}

export interface UploadsList {
  list: readonly ListedUpload[]
  add(files: readonly File[]): void
  /** Cancels an upload, or removes a failed one from the list. */
  remove(key: number): void
  /** Retries a failed upload. */
  retry(key: number): void
}

/** The server processes every image; more uploads at once would only wait there. */
const maxParallel = 2

/** Uploads files to the media library, two at a time; `onDone` is called for each finished one. */
export function useUploadList(onDone: (image: Image) => void): UploadsList {
  const [list, setList] = useState<readonly ListedUpload[]>([])
  const running = useRef(new Map<number, Upload<Image>>())
  const last = useRef(0)
  const done = useEffectEvent(onDone)
  const change = (key: number, part: Partial<ListedUpload>): void =>
    setList((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const removeFromList = (key: number): void => setList((all) => all.filter((one) => one.key !== key))

  const finish = useEffectEvent(async (key: number, upload: Upload<Image>): Promise<void> => {
    try {
      const image = await upload.done
      removeFromList(key)
      done(image)
    } catch (error) {
      // Has no effect on an upload that was removed from the list.
      change(key, { failure: asApiError(error).message })
    } finally {
      running.current.delete(key)
    }
  })
  const send = useEffectEvent((key: number, file: File) => {
    const upload = uploadImage(file, (progress) => change(key, { progress }))
    running.current.set(key, upload)
    change(key, { waiting: false })
    void finish(key, upload)
  })
  useEffect(() => {
    const sending = list.filter(({ failure, waiting }) => failure === null && !waiting).length
    for (const { key, file } of list
      .filter(({ waiting }) => waiting)
      .slice(0, Math.max(0, maxParallel - sending))) {
      if (!running.current.has(key)) send(key, file)
    }
  }, [list])
  useEffect(() => {
    const uploads = running.current
    return () => {
      for (const upload of uploads.values()) upload.cancel()
    }
  }, [])

  return {
    list,
    add(files) {
      const added = files.map((file): ListedUpload => {
        last.current += 1
        const failure = refuseFile(file)
        return {
          key: last.current,
          file,
          failure,
          waiting: failure === null,
          progress: { sent: 0, total: file.size },
        }
      })
      setList((all) => [...all, ...added])
    },
    remove(key) {
      const upload = running.current.get(key)
      removeFromList(key)
      upload?.cancel()
    },
    retry: (key) => change(key, { failure: null, waiting: true }),
  }
}
