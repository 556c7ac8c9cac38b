import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatBytes, formatCount, plural } from '../../../lib/format.ts'
import { useStore } from '../../../lib/state/store.ts'
import { requestedBytes } from './show-bytes.ts'
import type { RequestedBytes } from './show-bytes.ts'
import type { OpenModule } from './open-module.ts'
import type { ModuleState } from './use-open-module.ts'
import { useOpenModule } from './use-open-module.ts'
import { jumpTo } from '../sheet/sections.ts'
import { ModuleViews } from './module-views.tsx'
import classes from './module-viewer.module.css'
import { Section } from '../../../components/section.tsx'

/** What the module is made of: its functions, strings, sections and bytes, read in this browser and never run. */
export function ModuleViewer({ release }: { release: DeskRelease }) {
  return <Viewer key={`${release.id} ${release.sha256}`} release={release} />
}

function Viewer({ release }: { release: DeskRelease }) {
  const { state, open } = useOpenModule(release)
  const usable = release.package !== 'missing'
  const wanted = useStore(requestedBytes)
  const openWanted = useEffectEvent(({ releaseId }: RequestedBytes) => {
    if (releaseId !== release.id) return
    jumpTo('inside')
    if (state.step !== 'open') open()
  })
  useEffect(() => {
    if (wanted !== null) openWanted(wanted)
  }, [wanted])
  useActions(
    usable
      ? [
          {
            id: 'inside',
            label: 'look inside the module',
            group: 'Look',
            keys: ['i'],
            run: () => {
              jumpTo('inside')
              if (state.step === 'closed') open()
            },
          },
        ]
      : [],
  )
  return (
    <Section id="inside" title="Inside" note={noteOf(release)}>
      <div className={classes['inside']}>
        {usable ? (
          <ModuleBody release={release} state={state} open={open} />
        ) : (
          <p className={classes['sentence']}>The package is missing: there is nothing to look into.</p>
        )}
      </div>
    </Section>
  )
}

function noteOf({ module, size }: DeskRelease): string {
  if (module === null) return formatBytes(size)
  return `${plural(module.functionCount, 'function')}, ${plural(module.sections.length, 'section')}, ${formatBytes(size)}`
}

interface BodyProps {
  release: DeskRelease
  state: ModuleState
  open: () => void
}

function ModuleBody({ release, state, open }: BodyProps) {
  const body = useRef<HTMLDivElement>(null)
  const isOpen = state.step === 'open'
  const wasPressed = useRef(false)
  useEffect(() => {
    // The button that was pressed is gone: the focus goes to what has come in its place.
    if (isOpen && wasPressed.current)
      body.current?.querySelector<HTMLElement>('[role="tab"][tabindex="0"]')?.focus()
  }, [isOpen])
  const press = (): void => {
    wasPressed.current = true
    open()
  }
  return (
    <div ref={body}>
      {isOpen ? (
        <OpenViewer release={release} module={state.module} />
      ) : (
        <NotOpen release={release} state={state} open={press} />
      )}
    </div>
  )
}

function OpenViewer({ release, module }: { release: DeskRelease; module: OpenModule }) {
  const { problem } = module.outline
  return (
    <>
      {problem !== null && (
        <Notice tone="warn" icon={IconAlertTriangle} title="It cannot be read as a module" role="alert">
          <p>{problem} Only its bytes can be looked at.</p>
        </Notice>
      )}
      <ModuleViews key={module.key} releaseId={release.id} module={module} />
    </>
  )
}

function NotOpen({ release, state, open }: BodyProps & { state: Exclude<ModuleState, { step: 'open' }> }) {
  if (state.step === 'closed') {
    return (
      <div className={classes['closed']}>
        <p>
          Functions by size, strings, sections and bytes. The module is fetched into this browser and read
          beside the page; it is not run.
        </p>
        <Button onClick={open} rightSection={<Keycap keys="i" quiet />}>
          Open module
        </Button>
      </div>
    )
  }
  if (state.step === 'receiving') {
    return (
      <div className={classes['closed']} role="status">
        <progress max={release.size} value={state.received} aria-label="Receiving the module" />
        <span>
          {formatCount(state.received)} of {formatBytes(release.size)}
        </span>
      </div>
    )
  }
  if (state.step === 'reading') return <Bones rows={8} height={28} what="the module" />
  if (state.step === 'failed') {
    return <Failure error={state.error} what="The module cannot be opened" retry={open} />
  }
  return (
    <Notice
      tone="bad"
      icon={IconAlertOctagonFilled}
      title="The bytes that came are not those of the digest"
      role="alert"
      actions={
        <Button size="sm" onClick={open}>
          Try again
        </Button>
      }
    >
      <p>
        They have the digest <code>{state.digest}</code>. They are not opened here.
      </p>
    </Notice>
  )
}
