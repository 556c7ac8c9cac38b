import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Image } from '../../../shared/contracts/images.ts'
import { asApiError } from '../server/api-error.ts'
import { refuseFile, uploadImage } from './upload-image.ts'
import type { Upload, UploadProgress } from './upload.ts'

/** A picture on its way to the library, or one that did not get there. */
export interface ListedUpload {
  key: number
  file: File
  progress: UploadProgress
  /** Why it was not taken, or null. */
  failure: string | null
  /** Whether it waits for those before it. */
  waiting: boolean
}

export interface UploadsList {
  list: readonly ListedUpload[]
  add(files: readonly File[]): void
  /** Ends one that is on its way, or takes a failed one from the list. */
  drop(key: number): void
  /** Sends one that failed once more. */
  again(key: number): void
}

/** The server looks at every picture; more at once would only wait there. */
const atOnce = 2

/** Sends files to the library, two at a time; `onDone` hears of each that is there. */
export function useUploadList(onDone: (image: Image) => void): UploadsList {
  const [list, setList] = useState<readonly ListedUpload[]>([])
  const running = useRef(new Map<number, Upload<Image>>())
  const last = useRef(0)
  const done = useEffectEvent(onDone)
  const change = (key: number, part: Partial<ListedUpload>): void =>
    setList((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const remove = (key: number): void => setList((all) => all.filter((one) => one.key !== key))

  const finish = useEffectEvent(async (key: number, upload: Upload<Image>): Promise<void> => {
    try {
      const image = await upload.done
      remove(key)
      done(image)
    } catch (error) {
      // One that was taken from the list has nothing to say any more.
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
      .slice(0, Math.max(0, atOnce - sending))) {
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
    drop(key) {
      const upload = running.current.get(key)
      remove(key)
      upload?.cancel()
    },
    again: (key) => change(key, { failure: null, waiting: true }),
  }
}
