import { Button } from '@mantine/core'
import { IconBan, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { Keycap } from '../../../components/keycap.tsx'
import { ToastArea } from '../../../components/toast-area.tsx'
import { useActions } from '../../../lib/actions.ts'
import type { Action } from '../../../lib/actions.ts'
import { showToast } from '../../../lib/toasts.ts'
import { effectAtRest } from '../effects.ts'
import { useNotes } from '../notes.ts'
import { useDecideRelease } from '../review.api.ts'
import { DecisionForm } from './decision-form.tsx'
import classes from './dock.module.css'
import { SomebodyWasFaster } from './somebody-was-faster.tsx'

const words = { approved: 'approved', rejected: 'rejected', revoked: 'revoked' } as const

interface Props {
  release: DeskRelease
  me: DeskPerson
  hasNext: boolean
  onNext: () => void
}

/** The one place that decides. It never moves, and says what a decision does before it is made. */
export function Dock({ release, me, hasNext, onNext }: Props) {
  const [open, setOpen] = useState<ReviewAction | null>(null)
  const [notes, setNotes] = useNotes(release.id)
  const decide = useDecideRelease(release.id)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const dock = useRef<HTMLElement>(null)
  const trouble = release.package === 'missing' || release.package === 'changed'

  const begin = (action: ReviewAction): void => {
    setOpener(document.activeElement instanceof HTMLElement ? document.activeElement : null)
    decide.reset()
    setOpen(action)
  }
  const close = (): void => {
    setOpen(null)
    opener?.focus()
  }
  const confirm = (reason: string): void => {
    if (open === null) return
    const action = open
    decide.mutate(
      { action, reason },
      {
        onSuccess: () => {
          setNotes(action, '')
          setOpen(null)
          showToast({
            kind: 'done',
            subject: `${release.name} ${release.version}`,
            text: `is ${words[action]}. ${after(action, release)}`,
          })
          if (hasNext) onNext()
          else dock.current?.focus()
        },
      },
    )
  }
  const wanted = open === 'revoked' ? 'approved' : 'pending'
  const raced = open !== null && release.status !== wanted && !decide.isPending && !decide.isSuccess
  useActions(open === null ? actionsAtRest(release, trouble, begin) : [])
  useEffect(() => {
    if (decide.isSuccess && open === null) decide.reset()
  }, [decide, open])

  return (
    <section
      ref={dock}
      className={classes['dock']}
      data-region="dock"
      data-open={open !== null || undefined}
      aria-label="Decision"
      tabIndex={-1}
    >
      <ToastArea />
      {raced ? (
        <SomebodyWasFaster
          release={release}
          me={me}
          notes={notes[open]}
          hasNext={hasNext}
          onNext={onNext}
          onClose={close}
        />
      ) : open === null ? (
        <AtRest release={release} trouble={trouble} onBegin={begin} />
      ) : (
        <DecisionForm
          key={open}
          action={open}
          release={release}
          notes={notes[open]}
          onNotes={(next) => setNotes(open, next)}
          error={decide.error}
          sending={decide.isPending}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </section>
  )
}

function after(action: ReviewAction, { owner }: DeskRelease): string {
  if (action === 'approved') return 'Everybody can download it now.'
  if (action === 'rejected') return `${owner.publisher} can read your notes.`
  return 'Nobody can download it any more.'
}

function actionsAtRest(
  release: DeskRelease,
  trouble: boolean,
  begin: (action: ReviewAction) => void,
): Action[] {
  const one = (action: ReviewAction, label: string, key: string): Action => ({
    id: `decide-${action}`,
    label: `${label} ${release.name} ${release.version}…`,
    group: 'Decide',
    keys: [key],
    run: () => begin(action),
  })
  if (release.status === 'approved') return [one('revoked', 'revoke', 'x')]
  if (release.status !== 'pending') return []
  return [...(trouble ? [] : [one('approved', 'approve', 'a')]), one('rejected', 'reject', 'r')]
}

interface RestProps {
  release: DeskRelease
  trouble: boolean
  onBegin: (action: ReviewAction) => void
}

function AtRest({ release, trouble, onBegin }: RestProps) {
  const pending = release.status === 'pending'
  const reason = 'approve-refused'
  return (
    <div className={classes['rest']}>
      <p id={reason} className={classes['effect']} data-trouble={(trouble && pending) || undefined}>
        {trouble && pending
          ? `The package is ${release.package}. Nothing can be approved that nobody can download.`
          : effectAtRest(release)}
      </p>
      {pending && (
        <>
          <Button
            onClick={() => onBegin('rejected')}
            leftSection={<IconCircleX size={16} stroke={1.75} />}
            rightSection={<Keycap keys="r" quiet />}
          >
            Reject…
          </Button>
          <Button
            variant="filled"
            aria-disabled={trouble}
            aria-describedby={trouble ? reason : undefined}
            onClick={() => {
              if (!trouble) onBegin('approved')
            }}
            leftSection={<IconCircleCheck size={16} stroke={1.75} />}
            rightSection={<Keycap keys="a" quiet />}
          >
            Approve…
          </Button>
        </>
      )}
      {release.status === 'approved' && (
        <Button
          onClick={() => onBegin('revoked')}
          leftSection={<IconBan size={16} stroke={1.75} />}
          rightSection={<Keycap keys="x" quiet />}
        >
          Revoke…
        </Button>
      )}
    </div>
  )
}
