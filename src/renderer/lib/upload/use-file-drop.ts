import { useState } from 'react'
import type { DragEvent } from 'react'

/** Handlers for an element that files can be dropped on; `isOver` while files are dragged over it. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent<HTMLElement>): boolean => dataTransfer.types.includes('Files')
  return {
    isOver,
    onDragOver(event: DragEvent<HTMLElement>) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) {
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false)
    },
    onDrop(event: DragEvent<HTMLElement>) {
      setIsOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      onFiles([...event.dataTransfer.files])
    },
  }
}
