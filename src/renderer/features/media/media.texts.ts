import { formatSize, plural } from '../../lib/format.ts'

const images = (count: number): string => plural(count, 'image')
const sized = (count: number, bytes: number): string => `${images(count)}, ${formatSize(bytes)}`

/** Every user-visible text of the media library. */
export const texts = {
  untitled: 'Untitled',
  hasLocation: "This image contains location data. Published copies don't.",

  page: {
    title: 'Media',
    views: { label: 'Filter by use', all: 'All', used: 'Used', unused: 'Unused' },
    total: sized,
    upload: 'Upload',
    uploaded: (copies: number) =>
      `Image added to the library, with ${plural(copies, 'resized copy', 'resized copies')}.`,
    newImages: (count: number) => plural(count, 'new image'),
    loadFailed: "Couldn't load images",
    loading: 'the images',
    deletion: 'The deletion',
    actions: { upload: 'upload images…' },
  },

  empty: {
    library: 'No images yet',
    libraryHint: 'Upload images, drop them here or paste one into a post.',
    allUsed: 'All images are in use',
    noneUsed: 'No images in use',
    all: 'All images',
  },

  table: {
    label: 'Images',
    columns: {
      mark: 'Selected',
      image: 'Image',
      kind: 'Type',
      dimensions: 'Pixels',
      frames: 'Frames',
      size: 'Size',
      location: 'GPS',
      used: 'Used in',
      uploaded: 'Uploaded',
    },
    location: 'GPS',
    notUsed: 'not used',
    more: (count: number) => `and ${count} more`,
    removed: 'no longer in this list',
    publicForm: 'public form',
    open: (name: string) => `${name}, details open`,
  },

  details: {
    label: 'Image details',
    close: 'Close details',
    closeAction: 'close details',
    zoomIn: 'Show larger',
    zoomOut: 'Show smaller',
    usedBy: 'Used in',
    notUsed: 'Not used.',
    post: 'post',
    project: 'showcase',
    facts: {
      frames: 'Frames',
      size: 'Size',
      copies: 'Resized copies',
      uploaded: 'Uploaded',
      by: 'Uploaded by',
      digest: 'SHA-256',
    },
    copies: (widths: readonly number[]) => `${plural(widths.length, 'width')}: ${widths.join(', ')}`,
    publicForm: 'anonymous, through the public form',
    digest: 'the digest',
    copyMarkdown: 'Copy as Markdown',
    delete: 'Delete…',
  },

  /** The bar below the table, which selects and deletes unused images. */
  dock: {
    label: 'Deletion',
    noneUnused: 'All images are in use. None can be deleted.',
    unused: (count: number, bytes: number) =>
      `${sized(count, bytes)}, ${count === 1 ? 'is' : 'are'} not in use and can be deleted.`,
    selected: (count: number, bytes: number) => `Selected: ${sized(count, bytes)}.`,
    selectAll: (count: number) => (count === 1 ? 'Select the unused image' : `Select all ${count} unused`),
    selectNone: 'Clear selection',
    selectFailed: (reason: string) => `Couldn't select the unused images. ${reason}`,
    delete: 'Delete…',
    warning: (count: number, bytes: number) =>
      `${sized(count, bytes)}, will be permanently deleted. ${count === 1 ? "It isn't" : "They aren't"} used in any saved post or project.`,
    cancel: 'Cancel',
    confirm: (count: number) => `Delete ${images(count)}`,
    progress: (done: number, total: number) => `Deleted ${done} of ${images(total)}.`,
    stop: 'Stop',
    deleted: (count: number, bytes: number) => `${images(count)} deleted, ${formatSize(bytes)} freed.`,
    notDeleted: (failed: number, total: number, reason: string) =>
      `${failed} of ${images(total)} couldn't be deleted. ${reason}`,
    actions: {
      delete: 'delete the selected images…',
      confirm: 'delete the selected images',
      cancel: 'cancel',
    },
  },
} as const
