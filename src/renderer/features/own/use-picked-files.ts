import { useRef, useState } from 'react'
import { readManifestFile, readModuleFile, sortFiles } from './picked-files.ts'
import type { PickedManifest, PickedModule } from './picked-files.ts'

export interface PickedFiles {
  /** Null until one is picked. */
  manifest: PickedManifest | null
  module: PickedModule | null
  /** The name of a file that is being read, or null. */
  reading: { manifest: string | null; module: string | null }
  /** Why some of the dropped files are not used, or null. */
  complaint: string | null
  pickManifest(file: File): void
  pickModule(file: File): void
  drop(files: readonly File[]): void
}

/** The two files of a submission. `onPick` is called for each picked file. */
export function usePickedFiles(onPick: () => void): PickedFiles {
  const [manifest, pickManifest] = useRead(readManifestFile)
  const [module, pickModule] = useRead(readModuleFile)
  const [complaint, setComplaint] = useState<string | null>(null)
  const picked = (pick: (file: File) => void) => (file: File) => {
    setComplaint(null)
    onPick()
    pick(file)
  }
  return {
    manifest: manifest.read,
    module: module.read,
    reading: { manifest: manifest.reading, module: module.reading },
    complaint,
    pickManifest: picked(pickManifest),
    pickModule: picked(pickModule),
    drop(files) {
      const sorted = sortFiles(files)
      if (sorted.manifest !== null) picked(pickManifest)(sorted.manifest)
      if (sorted.module !== null) picked(pickModule)(sorted.module)
      setComplaint(sorted.complaint)
    },
  }
}

interface Reading<T> {
  read: T | null
  reading: string | null
}

/** Reads the last picked file. Results of files picked earlier are ignored. */
function useRead<T>(readFile: (file: File) => Promise<T>): [Reading<T>, (file: File) => void] {
  const [state, setState] = useState<Reading<T>>({ read: null, reading: null })
  const last = useRef(0)
  const pick = async (file: File): Promise<void> => {
    last.current += 1
    const turn = last.current
    setState({ read: null, reading: file.name })
    const read = await readFile(file)
    if (turn === last.current) setState({ read, reading: null })
  }
  return [state, (file) => void pick(file)]
}
