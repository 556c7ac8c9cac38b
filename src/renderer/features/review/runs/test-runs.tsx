import { VisuallyHidden } from '@mantine/core'
import { IconPlayerPlay, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { defaultRunLimits } from '../../../../shared/sandbox/run-limits.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { formatMiB } from '../../../lib/format.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { countPassed, useRuns } from './runs.ts'
import type { Runs } from './runs.ts'
import { texts } from '../review.texts.ts'
import classes from './test-runs.module.css'
import { RunProgressText } from './run-progress.tsx'
import { RunRow } from './run-row.tsx'
import { CustomRun } from './custom-run.tsx'
import { Section } from '../../../components/section.tsx'

const { timeMs, memoryBytes, outputBytes } = defaultRunLimits
const limits = texts.testRuns.limits(timeMs / 1000, formatMiB(memoryBytes), formatMiB(outputBytes))

/** Runs the module with its examples and with custom input. Nothing runs until the reviewer starts it. */
export function TestRuns({ release }: { release: DeskRelease }) {
  const runs = useRuns(release)
  const { state, start } = runs
  const passed = countPassed(runs)
  const usable = release.package === 'intact'
  const busy = state.step === 'receiving' || state.step === 'running'
  const ran = runs.ranAt !== null
  useActions(
    usable
      ? [
          {
            id: 'run-examples',
            label: ran ? texts.testRuns.runAgainCommand : texts.testRuns.runCommand,
            group: 'Look',
            keys: ['e'],
            run: () => {
              if (!busy) start()
            },
          },
        ]
      : [],
  )
  return (
    <Section
      id="did"
      title={texts.testRuns.title}
      beside={limits}
      note={usable && <RunButton runs={runs} busy={busy} ran={ran} />}
    >
      <Examples release={release} runs={runs} />
      <VisuallyHidden role="status">
        {busy || passed === null ? '' : texts.testRuns.summary(runs.examples.length, passed)}
      </VisuallyHidden>
      {state.step === 'failed' && (
        <div className={classes['problem']}>
          <Failure error={state.error} what={texts.testRuns.failed} retry={start} />
        </div>
      )}
      {usable ? (
        <>
          <CustomRun busy={busy} onRun={runs.runCustom} />
          <Custom release={release} runs={runs} />
        </>
      ) : (
        <p className={classes['nothing']} data-ink="calm">
          {texts.testRuns.unavailable}
        </p>
      )}
    </Section>
  )
}

function RunButton({ runs, busy, ran }: { runs: Runs; busy: boolean; ran: boolean }) {
  // Runs shorter than 150 ms leave the button unchanged.
  const late = useDelayed(busy, 150)
  if (late) {
    return (
      <ActionButton size="sm" icon={IconX} onClick={runs.cancel}>
        {texts.testRuns.cancel}
      </ActionButton>
    )
  }
  return (
    <ActionButton
      size="sm"
      icon={IconPlayerPlay}
      keys="e"
      onClick={() => {
        if (!busy) runs.start()
      }}
    >
      {ran ? texts.testRuns.runAgain : texts.testRuns.run}
    </ActionButton>
  )
}

const { columns } = texts.testRuns

const head = (
  <tr>
    <th scope="col">
      <VisuallyHidden>{columns.number}</VisuallyHidden>
    </th>
    <th scope="col">{columns.example}</th>
    <th scope="col">{columns.result}</th>
    <th scope="col">{columns.exit}</th>
    <th scope="col">{columns.time}</th>
    <th scope="col">{columns.memory}</th>
    <th scope="col">{columns.calls}</th>
  </tr>
)

function Examples({ release, runs }: { release: DeskRelease; runs: Runs }) {
  return (
    <Table>
      <thead>{head}</thead>
      <tbody>
        {release.manifest.examples.map(({ input, output }, index) => (
          <RunRow
            // oxlint-disable-next-line react/no-array-index-key
            key={`${release.id} ${index}`}
            number={String(index + 1)}
            input={input}
            declared={output}
            finished={runs.examples[index] ?? null}
            waiting={<RunProgressText release={release} state={runs.state} example={index} />}
            name={`${release.name}-${release.version}-${index + 1}`}
          />
        ))}
      </tbody>
    </Table>
  )
}

/** The run with custom input. */
function Custom({ release, runs: { custom, state } }: { release: DeskRelease; runs: Runs }) {
  const running = state.step === 'running' && state.example === null
  if (custom === null && !running) return null
  return (
    <Table label={texts.testRuns.customTable}>
      <thead className={classes['unseen']}>{head}</thead>
      <tbody>
        <RunRow
          key={custom?.stdoutSha256}
          number={texts.testRuns.custom}
          input={custom?.input.stdin ?? ''}
          declared={null}
          finished={custom}
          waiting={<RunProgressText release={release} state={state} example={null} />}
          name={`${release.name}-${release.version}-custom`}
          opened
        />
      </tbody>
    </Table>
  )
}

/** Scrolls horizontally by itself in a narrow window. */
function Table({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']} aria-label={label}>
        {children}
      </table>
    </div>
  )
}
