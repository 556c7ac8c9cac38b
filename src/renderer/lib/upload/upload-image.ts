import { formatMiB } from '../format.ts'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import { imageTypes, maxBlogImageBytes } from '../../../shared/contracts/images.ts'
import type { Image } from '../../../shared/contracts/images.ts'
import { uploadForm } from './upload.ts'
import type { Upload, UploadProgress } from './upload.ts'

/** The types that the file dialog offers. The server checks the bytes. */
export const acceptedImages = imageTypes.join(',')

/** Why a file cannot be uploaded, or null. */
export function refuseFile(file: Pick<File, 'size'>): string | null {
  if (file.size === 0) return 'The file is empty.'
  if (file.size <= maxBlogImageBytes) return null
  return `The file is ${Math.ceil(file.size / 1_048_576)} MiB; the limit is ${formatMiB(maxBlogImageBytes)}.`
}

/** Uploads an image to the media library. */
export function uploadImage(file: File, onProgress: (progress: UploadProgress) => void): Upload<Image> {
  const form = new FormData()
  form.set('image', file)
  return uploadForm(deskImageRoutes.uploadImage.path, form, onProgress)
}
