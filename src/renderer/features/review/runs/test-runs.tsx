import { Button, VisuallyHidden } from '@mantine/core'
import { IconPlayerPlay, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { plural } from '../../../lib/format.ts'
import { useLate } from '../../../lib/time/use-late.ts'
import { useRuns } from './runs.ts'
import type { Runs } from './runs.ts'
import { describeLimits } from './run-summary.ts'
import classes from './test-runs.module.css'
import { RunProgressText } from './run-progress.tsx'
import { RunRow } from './run-row.tsx'
import { CustomRun } from './custom-run.tsx'
import { Section } from '../../../components/section.tsx'

/** What the module does with its examples and with what a reviewer gives it. Nothing runs before it is asked for. */
export function TestRuns({ release }: { release: DeskRelease }) {
  const runs = useRuns(release)
  const { state, limits, start } = runs
  const usable = release.package === 'intact'
  const busy = state.step === 'receiving' || state.step === 'running'
  const ran = runs.ranAt !== null
  useActions(
    usable
      ? [
          {
            id: 'run-examples',
            label: ran ? 'run the examples again' : 'run the examples',
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
      title="What it did"
      beside={describeLimits(limits)}
      note={usable && <RunButton runs={runs} busy={busy} ran={ran} />}
    >
      <Examples release={release} runs={runs} />
      <VisuallyHidden role="status">{busy ? '' : summary(runs)}</VisuallyHidden>
      {state.step === 'failed' && (
        <div className={classes['trouble']}>
          <Failure error={state.error} what="The module was not run" retry={start} />
        </div>
      )}
      {usable ? (
        <>
          <CustomRun busy={busy} onRun={runs.tryIt} />
          <Own release={release} runs={runs} />
        </>
      ) : (
        <p className={classes['nothing']}>
          Its bytes are not here as they were submitted: there is nothing to run.
        </p>
      )}
    </Section>
  )
}

function RunButton({ runs, busy, ran }: { runs: Runs; busy: boolean; ran: boolean }) {
  // What takes no longer than a blink leaves the button as it is.
  const late = useLate(busy, 150)
  if (late) {
    return (
      <Button size="sm" leftSection={<IconX size={16} stroke={1.75} />} onClick={runs.cancel}>
        Cancel
      </Button>
    )
  }
  return (
    <Button
      size="sm"
      leftSection={<IconPlayerPlay size={16} stroke={1.75} />}
      rightSection={<Keycap keys="e" quiet />}
      onClick={() => {
        if (!busy) runs.start()
      }}
    >
      {ran ? 'Run again' : 'Run examples'}
    </Button>
  )
}

const head = (
  <tr>
    <th scope="col">
      <VisuallyHidden>Number</VisuallyHidden>
    </th>
    <th scope="col">Example</th>
    <th scope="col">Verdict</th>
    <th scope="col">Exit</th>
    <th scope="col">Time</th>
    <th scope="col">Peak</th>
    <th scope="col">Calls made</th>
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

/** What became of the reviewer's own input. */
function Own({ release, runs: { own, state } }: { release: DeskRelease; runs: Runs }) {
  const running = state.step === 'running' && state.example === null
  if (own === null && !running) return null
  return (
    <Table label="Your run">
      <thead className={classes['unseen']}>{head}</thead>
      <tbody>
        <RunRow
          key={own?.stdoutSha256}
          number="yours"
          input={own?.input.stdin ?? ''}
          declared={null}
          finished={own}
          waiting={<RunProgressText release={release} state={state} example={null} />}
          name={`${release.name}-${release.version}-own`}
          opened
        />
      </tbody>
    </Table>
  )
}

/** In a narrow window it scrolls by itself, and not the whole release. */
function Table({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']} aria-label={label}>
        {children}
      </table>
    </div>
  )
}

function summary({ examples }: Runs): string {
  if (examples.length === 0 || examples.includes(null)) return ''
  const passed = examples.filter((finished) => finished?.verdict === 'passed').length
  return `${plural(examples.length, 'example')} ran, ${passed} passed.`
}
