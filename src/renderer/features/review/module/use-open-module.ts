import { useEffect, useReducer, useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useInspection } from './use-inspection.ts'
import type { OpenModule } from './open-module.ts'
import { openModule } from './open-module.ts'
import type { ModuleViews } from './module-views.tsx'

export type ModuleState =
  | { step: 'closed' }
  | { step: 'receiving'; received: number }
  | { step: 'reading' }
  /** The downloaded file does not match the digest, so it is not opened. */
  | { step: 'changed'; digest: string }
  | { step: 'open'; module: OpenModule; Views: typeof ModuleViews }
  | { step: 'failed'; error: ApiError }

type Opened = Extract<ModuleState, { step: 'reading' | 'open' | 'failed' }>

/**
 * Opens the module of a release on request, in a worker that lives as long as the calling component. Its views are loaded
 * meanwhile: few releases need them.
 */
export function useOpenModule(release: Pick<DeskRelease, 'id' | 'sha256'>): {
  state: ModuleState
  open: () => void
} {
  const { inspection, start } = useInspection(release)
  const [isRequested, setRequested] = useState(false)
  const [opened, setOpened] = useReducer((_: Opened, next: Opened) => next, { step: 'reading' })
  const file = isRequested && inspection.step === 'checked' && inspection.matches ? inspection.file : null
  useEffect(() => {
    if (file === null) return undefined
    const abort = new AbortController()
    const work = async (): Promise<void> => {
      let next: Opened
      try {
        const [module, views] = await Promise.all([
          openModule(file, abort.signal),
          import('./module-views.tsx'),
        ])
        next = { step: 'open', module, Views: views.ModuleViews }
      } catch (error) {
        next = { step: 'failed', error: asApiError(error) }
      }
      if (!abort.signal.aborted) setOpened(next)
    }
    void work()
    return () => {
      abort.abort()
      setOpened({ step: 'reading' })
    }
  }, [file])

  const open = (): void => {
    setRequested(true)
    start()
  }
  if (!isRequested || inspection.step === 'idle') return { state: { step: 'closed' }, open }
  if (inspection.step === 'receiving' || inspection.step === 'failed') return { state: inspection, open }
  if (!inspection.matches) return { state: { step: 'changed', digest: inspection.digest }, open }
  return { state: opened, open }
}
