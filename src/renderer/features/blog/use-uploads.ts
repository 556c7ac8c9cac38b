import { useEffect, useRef, useState } from 'react'
import type { Image } from '../../../shared/contracts/images.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import { refuseFile, uploadImage } from '../../lib/upload/upload-image.ts'
import type { Upload, UploadProgress } from '../../lib/upload/upload.ts'
import { uploadTarget } from './picture-references.ts'

/** A picture on its way to the library. */
export interface PendingPicture {
  target: string
  file: File
  how: 'pasted' | 'dropped' | 'chosen'
  /** Shows it before it is there. */
  preview: string
  progress: UploadProgress
  startedAt: number
  /** Why it will not come; null while it may. */
  failure: string | null
}

export interface Uploads {
  pending: ReadonlyMap<string, PendingPicture>
  /** Begins to send files and gives the targets that stand for them in the text. */
  start(files: readonly File[], how: PendingPicture['how'], markdown: string): string[]
  cancel(target: string): void
  /** Sends another file, or the same one again, for a target that is in the text. */
  again(target: string, file: File): void
}

function beginning(target: string, file: File, how: PendingPicture['how']): PendingPicture {
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

/** Sends pictures while one goes on writing; `onCome` hears of each that has come. */
export function useUploads(onCome: (target: string, image: Image) => void): Uploads {
  const [pending, setPending] = useState<ReadonlyMap<string, PendingPicture>>(new Map())
  const running = useRef(new Map<string, Upload<Image>>())
  const used = useRef(new Set<string>())
  const come = useRef(onCome)
  useEffect(() => {
    come.current = onCome
  })

  const change = (target: string, part: Partial<PendingPicture>): void =>
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
  const send = (target: string, file: File, how: PendingPicture['how']): void => {
    used.current.add(target)
    const one = beginning(target, file, how)
    setPending((all) => new Map(all).set(target, one))
    if (one.failure !== null) return
    const upload = uploadImage(file, (now) => change(target, { progress: now }))
    running.current.set(target, upload)
    void follow(target, upload)
  }
  const follow = async (target: string, upload: Upload<Image>): Promise<void> => {
    try {
      const image = await upload.done
      come.current(target, image)
      forget(target)
    } catch (error) {
      // One that was cancelled, or whose file was replaced, is nobody's any more.
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
    again(target, file) {
      running.current.get(target)?.cancel()
      forget(target)
      send(target, file, 'chosen')
    },
  }
}
