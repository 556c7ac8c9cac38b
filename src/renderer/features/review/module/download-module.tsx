import { Button } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconCircleCheckFilled,
  IconDeviceFloppy,
  IconDownload,
} from '@tabler/icons-react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { formatBytes, formatCount, shortDigest } from '../../../lib/format.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { saveModule, useInspection } from './inspection.ts'
import classes from './download-module.module.css'

/** Downloads the package into this browser, computes its digest here, and then saves it as a file. */
export function DownloadModule({
  release,
}: {
  release: Pick<DeskRelease, 'id' | 'name' | 'version' | 'size' | 'sha256' | 'package'>
}) {
  const { inspection, start } = useInspection(release)
  const checked = inspection.step === 'checked' ? inspection : null
  const receiving = inspection.step === 'receiving' ? inspection : null
  const save = async (file: Blob): Promise<void> => {
    const subject = `${release.name}-${release.version}.wasm`
    try {
      const path = await saveModule(file, subject, release.sha256)
      if (path !== null) showToast({ kind: 'done', subject, text: `is saved as ${path}.` })
    } catch (error) {
      showToast({ kind: 'error', subject, text: `was not saved. ${asApiError(error).message}` })
    }
  }
  const run = (): void => {
    if (checked?.matches === true) void save(checked.file)
    else if (receiving === null) void start()
  }
  const usable = release.package !== 'missing'
  useActions(
    usable
      ? [
          {
            id: 'inspect',
            label: checked?.matches === true ? 'save the module…' : 'inspect the module',
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
              aria-label={`Receiving ${release.name} ${release.version}`}
            />
            <span>
              {formatCount(receiving.received)} of {formatBytes(release.size)}
            </span>
          </>
        )}
        {checked?.matches === true && (
          <span data-tone="ok">
            <IconCircleCheckFilled size={14} aria-hidden /> digest matches
          </span>
        )}
        {checked?.matches === false && (
          <span data-tone="bad">
            <IconAlertOctagonFilled size={14} aria-hidden /> digest does not match:{' '}
            {shortDigest(checked.digest)} came, {formatBytes(checked.file.size)}
          </span>
        )}
        {inspection.step === 'failed' && (
          <span data-tone="bad">
            <IconAlertOctagonFilled size={14} aria-hidden /> {inspection.error.message}
          </span>
        )}
      </div>
      <Button
        onClick={run}
        loading={receiving !== null}
        leftSection={
          checked?.matches === true ? (
            <IconDeviceFloppy size={16} stroke={1.75} />
          ) : (
            <IconDownload size={16} stroke={1.75} />
          )
        }
        rightSection={<Keycap keys="s" quiet />}
      >
        {checked?.matches === true
          ? 'Save module…'
          : inspection.step === 'failed' || checked !== null
            ? 'Try again'
            : 'Inspect module'}
      </Button>
    </div>
  )
}
