import {
  IconAlertOctagonFilled,
  IconCircleCheckFilled,
  IconDeviceFloppy,
  IconDownload,
} from '@tabler/icons-react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { shortDigest } from '../../../lib/format.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { saveModule, useInspection } from './use-inspection.ts'
import { texts } from '../review.texts.ts'
import classes from './download-module.module.css'

const { download } = texts.module

/** Downloads the package to this browser and checks its digest; then it can be saved as a file. */
export function DownloadModule({ release }: { release: DeskRelease }) {
  const { inspection, start } = useInspection(release)
  const checked = inspection.step === 'checked' ? inspection : null
  const matching = checked?.matches === true ? checked.file : null
  const receiving = inspection.step === 'receiving' ? inspection : null
  const save = async (file: Blob): Promise<void> => {
    const subject = `${release.name}-${release.version}.wasm`
    try {
      const path = await saveModule(file, subject, release.sha256)
      if (path !== null) showToast({ kind: 'done', subject, text: download.saved(path) })
    } catch (error) {
      showToast({ kind: 'error', subject, text: download.notSaved(asApiError(error).message) })
    }
  }
  const run = (): void => {
    if (matching !== null) void save(matching)
    else if (receiving === null) start()
  }
  const usable = release.package !== 'missing'
  useActions(
    usable
      ? [
          {
            id: 'inspect',
            label: matching !== null ? download.saveCommand : download.command,
            group: 'Look',
            keys: ['s'],
            run,
          },
        ]
      : [],
  )
  if (!usable) return null
  return (
    <div className={classes['inspect']}>
      <div className={classes['state']} role="status">
        {receiving !== null && (
          <>
            <progress
              max={release.size}
              value={receiving.received}
              aria-label={texts.module.downloadingRelease(release.name, release.version)}
            />
            <span>{texts.module.progress(receiving.received, release.size)}</span>
          </>
        )}
        {matching !== null && (
          <span data-ink="ok">
            <IconCircleCheckFilled size={14} aria-hidden /> {download.matches}
          </span>
        )}
        {checked?.matches === false && (
          <span data-ink="bad">
            <IconAlertOctagonFilled size={14} aria-hidden />{' '}
            {download.mismatch(shortDigest(checked.digest), checked.file.size)}
          </span>
        )}
        {inspection.step === 'failed' && (
          <span data-ink="bad">
            <IconAlertOctagonFilled size={14} aria-hidden /> {inspection.error.message}
          </span>
        )}
      </div>
      <ActionButton
        onClick={run}
        loading={receiving !== null}
        leftSection={
          matching !== null ? (
            <IconDeviceFloppy size={16} stroke={1.75} />
          ) : (
            <IconDownload size={16} stroke={1.75} />
          )
        }
        keys="s"
      >
        {matching !== null
          ? download.save
          : inspection.step === 'failed' || checked !== null
            ? texts.module.tryAgain
            : download.button}
      </ActionButton>
    </div>
  )
}
