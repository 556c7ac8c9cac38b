import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useStore } from '../../../lib/state/store.ts'
import { requestedPlace } from './show-in-module.ts'
import type { RequestedPlace } from './show-in-module.ts'
import type { ModuleState } from './use-open-module.ts'
import { useOpenModule } from './use-open-module.ts'
import { canAsk } from '../sheet/conversation.tsx'
import type { ReviewRelease } from '../review.api.ts'
import { jumpTo } from '../sheet/sections.ts'
import { texts } from '../review.texts.ts'
import classes from './module-viewer.module.css'
import { Section } from '../../../components/section.tsx'

/** The functions, strings, sections and bytes of the module, parsed in this browser. The module is never run here. */
export function ModuleViewer({ release }: { release: ReviewRelease }) {
  const { state, open } = useOpenModule(release)
  const usable = release.package !== 'missing'
  const requested = useStore(requestedPlace)
  const openRequested = useEffectEvent(({ releaseId }: RequestedPlace) => {
    if (releaseId !== release.id) return
    jumpTo('inside')
    if (state.step !== 'open') open()
  })
  useEffect(() => {
    if (requested !== null) openRequested(requested)
  }, [requested])
  useActions(
    usable
      ? [
          {
            id: 'inside',
            label: texts.module.openCommand,
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
    <Section id="inside" title={texts.module.title} note={noteOf(release)}>
      <div className={classes['inside']}>
        {usable ? (
          <ModuleBody release={release} state={state} open={open} />
        ) : (
          <p className={classes['sentence']} data-text="hint">
            {texts.module.missing}
          </p>
        )}
      </div>
    </Section>
  )
}

function noteOf({ module, size }: DeskRelease): string {
  if (module === null) return formatBytes(size)
  return texts.module.note(module.functionCount, module.sections.length, size)
}

interface BodyProps {
  release: ReviewRelease
  state: ModuleState
  open: () => void
}

function ModuleBody({ release, state, open }: BodyProps) {
  const body = useRef<HTMLDivElement>(null)
  const isOpen = state.step === 'open'
  const wasPressed = useRef(false)
  useEffect(() => {
    // The pressed button is no longer rendered, so the focus moves to the views that replaced it.
    if (isOpen && wasPressed.current)
      body.current?.querySelector<HTMLElement>('[role="tab"][tabindex="0"]')?.focus()
  }, [isOpen])
  const press = (): void => {
    wasPressed.current = true
    open()
  }
  return (
    <div ref={body}>
      {state.step === 'open' ? (
        <>
          {state.module.outline.problem !== null && (
            <Notice tone="warn" icon={IconAlertTriangle} title={texts.module.invalid} role="alert">
              <p>{texts.module.onlyBytes(state.module.outline.problem)}</p>
            </Notice>
          )}
          <state.Views
            key={state.module.key}
            releaseId={release.id}
            mayAsk={canAsk(release)}
            module={state.module}
          />
        </>
      ) : (
        <NotOpen release={release} state={state} open={press} />
      )}
    </div>
  )
}

function NotOpen({ release, state, open }: BodyProps & { state: Exclude<ModuleState, { step: 'open' }> }) {
  if (state.step === 'closed') {
    return (
      <div className={classes['closed']} data-text="hint">
        <p>{texts.module.closed}</p>
        <ActionButton onClick={open} keys="i">
          {texts.module.open}
        </ActionButton>
      </div>
    )
  }
  if (state.step === 'receiving') {
    return (
      <div className={classes['closed']} data-text="hint" role="status">
        <progress max={release.size} value={state.received} aria-label={texts.module.downloading} />
        <span>{texts.module.progress(state.received, release.size)}</span>
      </div>
    )
  }
  if (state.step === 'reading') return <Skeleton rows={8} height={28} what={texts.module.what} />
  if (state.step === 'failed') {
    return <Failure error={state.error} what={texts.module.openFailed} retry={open} />
  }
  return (
    <Notice
      tone="bad"
      icon={IconAlertOctagonFilled}
      title={texts.module.mismatch}
      role="alert"
      actions={
        <Button size="sm" onClick={open}>
          {texts.module.tryAgain}
        </Button>
      }
    >
      <p>
        {texts.module.mismatchDigest} <code>{state.digest}</code>. {texts.module.notOpened}
      </p>
    </Notice>
  )
}
