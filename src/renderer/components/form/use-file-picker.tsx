import { useRef } from 'react'
import type { ReactNode } from 'react'

interface Options {
  /** As in the `accept` attribute. */
  accept: string
  /** The name of the file field. */
  label?: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** The file dialog of a button: `open` opens it, and `field`, which is invisible, must be rendered. */
export function useFilePicker({ label, onFiles, ...attributes }: Options): {
  open: () => void
  field: ReactNode
} {
  const input = useRef<HTMLInputElement>(null)
  return {
    open: () => input.current?.click(),
    field: (
      <input
        {...attributes}
        ref={input}
        type="file"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Otherwise choosing the same file again would not fire an event.
          currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    ),
  }
}
