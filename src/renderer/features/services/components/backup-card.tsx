import { Button } from '@mantine/core'
import type { DeskBackups } from '../../../../shared/contracts/desk-services.ts'
import { Facts } from '../../../components/facts.tsx'
import type { Fact } from '../../../components/facts.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { formatSize } from '../../../lib/format.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { formatAgo } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useBackUpNow } from '../services.api.ts'
import { texts } from '../services.texts.ts'
import classes from './service-cards.module.css'

const { backups: words } = texts

/** When the last backup was tested, and a button that makes the next one. */
export function BackupCard({ backups }: { backups: DeskBackups }) {
  const backUpNow = useBackUpNow((error) => showToast({ kind: 'error', text: asApiError(error).message }))
  return (
    <section
      className={classes['card']}
      data-failed={backups.problem !== null || undefined}
      aria-label={words.title}
    >
      <header>
        <h2>{words.title}</h2>
        <State backups={backups} />
        <span className={classes['actions']} data-actions>
          <Button
            size="xs"
            loading={backUpNow.isPending}
            disabled={backups.phase !== 'idle'}
            onClick={() => backUpNow.mutate()}
          >
            {words.now}
          </Button>
        </span>
      </header>
      <div className={classes['body']}>
        <Facts facts={factsOf(backups)} />
      </div>
    </section>
  )
}

function State({ backups: { phase, problem, lastTested, every } }: { backups: DeskBackups }) {
  const now = useNow(1000)
  if (phase !== 'idle') return <Status kind="starting">{words.phases[phase]}</Status>
  const text =
    lastTested !== null
      ? words.tested(formatAgo(lastTested.at, now))
      : every === 'never'
        ? words.off
        : words.untested
  if (problem !== null) return <Status kind="failed">{text}</Status>
  return <Status kind={lastTested === null ? 'stopped' : 'running'}>{text}</Status>
}

function factsOf({ every, keep, folder, lastTested, problem }: DeskBackups): Fact[] {
  const schedule = words.every[every]
  return [
    ...(problem === null ? [] : [{ label: words.problem, value: <span data-ink="bad">{problem}</span> }]),
    { label: words.schedule, value: every === 'never' ? schedule : words.kept(schedule, keep) },
    ...(lastTested === null ? [] : [{ label: words.size, value: formatSize(lastTested.bytes) }]),
    {
      label: words.folder,
      value: (
        <>
          <code>{folder}</code> <CopyIcon text={folder} what={words.folderToCopy} />
        </>
      ),
    },
  ]
}
