import { useEffect, useRef, useState } from 'react'
import type { Image } from '../../../shared/contracts/images.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import { refuseFile, uploadImage } from '../../lib/upload/upload-image.ts'
import type { Upload, UploadProgress } from '../../lib/upload/upload.ts'
import { uploadTarget } from './image-references.ts'

/** An image that is being uploaded. */
export interface PendingImage {
  target: string
  file: File
  how: 'pasted' | 'dropped' | 'chosen'
  /** Object URL of the file. */
  preview: string
  progress: UploadProgress
  startedAt: number
  /** Why the upload failed; null while it has not. */
  failure: string | null
}

interface Uploads {
  pending: ReadonlyMap<string, PendingImage>
  /** Starts uploading files and returns the targets that represent them in the text. */
  start(files: readonly File[], how: PendingImage['how'], markdown: string): string[]
  cancel(target: string): void
  /** Uploads another file, or the same one again, for a target in the text. */
  retry(target: string, file: File): void
}

function newUpload(target: string, file: File, how: PendingImage['how']): PendingImage {
  return {
    target,
    file,
    how,
    preview: URL.createObjectURL(file),
    progress: { sent: 0, total: file.size },
    startedAt: Date.now(),
    failure: refuseFile(file),
  }
}

/** Uploads images in the background. `onUploaded` is called for each that has finished. */
export function useUploads(onUploaded: (target: string, image: Image) => void): Uploads {
  const [pending, setPending] = useState<ReadonlyMap<string, PendingImage>>(new Map())
  const running = useRef(new Map<string, Upload<Image>>())
  const used = useRef(new Set<string>())
  const onUploadedRef = useRef(onUploaded)
  useEffect(() => {
    onUploadedRef.current = onUploaded
  })

  const change = (target: string, part: Partial<PendingImage>): void =>
    setPending((all) => {
      const one = all.get(target)
      return one === undefined ? all : new Map(all).set(target, { ...one, ...part })
    })
  const forget = (target: string): void => {
    running.current.delete(target)
    setPending((all) => {
      const one = all.get(target)
      if (one === undefined) return all
      URL.revokeObjectURL(one.preview)
      return new Map([...all].filter(([key]) => key !== target))
    })
  }
  const send = (target: string, file: File, how: PendingImage['how']): void => {
    used.current.add(target)
    const one = newUpload(target, file, how)
    setPending((all) => new Map(all).set(target, one))
    if (one.failure !== null) return
    const upload = uploadImage(file, (now) => change(target, { progress: now }))
    running.current.set(target, upload)
    void follow(target, upload)
  }
  const follow = async (target: string, upload: Upload<Image>): Promise<void> => {
    try {
      const image = await upload.done
      onUploadedRef.current(target, image)
      forget(target)
    } catch (error) {
      // Ignore an upload that was canceled or whose file was replaced.
      if (running.current.get(target) !== upload) return
      running.current.delete(target)
      change(target, { failure: asApiError(error).message })
    }
  }
  useEffect(
    () => () => {
      for (const upload of running.current.values()) upload.cancel()
    },
    [],
  )
  return {
    pending,
    start(files, how, markdown) {
      return files.map((file) => {
        const target = uploadTarget(file.name, markdown, used.current)
        send(target, file, how)
        return target
      })
    },
    cancel(target) {
      const upload = running.current.get(target)
      forget(target)
      upload?.cancel()
    },
    retry(target, file) {
      running.current.get(target)?.cancel()
      forget(target)
      send(target, file, 'chosen')
    },
  }
}
