import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import { imageTypes, maxBlogImageBytes } from '../../../shared/contracts/images.ts'
import type { Image } from '../../../shared/contracts/images.ts'
import { uploadForm } from './upload.ts'
import type { Upload, UploadProgress } from './upload.ts'

/** What the file dialog offers; the server decides by the bytes. */
export const acceptedImages = imageTypes.join(',')

/** Why a file is not worth sending, or null. */
export function refuseFile(file: Pick<File, 'name' | 'size'>): string | null {
  if (file.size === 0) return `${file.name} is empty.`
  if (file.size <= maxBlogImageBytes) return null
  return `${file.name} has ${Math.ceil(file.size / 1_048_576)} MiB; a picture may have 100 MiB.`
}

/** Sends a picture to the library. */
export function uploadImage(file: File, onProgress: (progress: UploadProgress) => void): Upload<Image> {
  const form = new FormData()
  form.set('image', file)
  return uploadForm(deskImageRoutes.uploadImage.path, form, onProgress)
}
