import { IconBan, IconCircleCheck, IconCircleX, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { DecisionConflictNotice } from '../../../components/decision/decision-conflict-notice.tsx'
import { decisionKeys } from '../../../components/decision/decision-keys.ts'
import { DockButton, DockFrame, DockLine } from '../../../components/decision/dock-frame.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { asApiError, isUnanswered } from '../../../lib/server/api-error.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useReasonDraft, writeReason } from '../reason-draft.ts'
import { doneText, publicPath, statusEffect } from '../project-effects.ts'
import { projectSlugQuery, useDecideProject } from '../showcase.api.ts'
import type { ProjectAction } from '../showcase.api.ts'
import { ProjectDecision } from './project-decision.tsx'
import { ProjectDeletion } from './project-deletion.tsx'
import { texts } from '../showcase.texts.ts'

const { decision: labels } = texts

interface Props {
  project: DeskProject
  me: DeskPerson
  hasNext: boolean
  onNext: () => void
  /** Called when the project was deleted. */
  onDeleted: () => void
}

/** The bar below a project that decides it: its status, the decision form, and conflicts. */
export function ProjectDock({ project, me, hasNext, onNext, onDeleted }: Props) {
  // The open decision, with the project's status when it was opened.
  const [open, setOpen] = useState<{ action: ProjectAction; from: DeskProject['status'] } | null>(null)
  // The rejection for which the deletion was opened. Another decision closes it.
  const [deletingAfter, setDeletingAfter] = useState<string | null>(null)
  const deleting = project.status === 'rejected' && deletingAfter === project.decidedAt
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const decide = useDecideProject(project.id, (action) => writeReason(project.id, action, ''))
  const reason = useReasonDraft(project.id, open?.action ?? 'rejected')
  const dock = useRef<HTMLElement>(null)
  // The next project may be another one when the answer to a decision arrives.
  const goOn = useRef(() => {})
  useEffect(() => {
    goOn.current = hasNext ? onNext : () => dock.current?.focus()
  })
  const now = useNow(5000)
  useEffect(() => {
    if (deletingAfter !== null && !deleting) dock.current?.focus()
  }, [deletingAfter, deleting])

  const keepOpener = (): void =>
    setOpener(document.activeElement instanceof HTMLElement ? document.activeElement : null)
  const openDecision = (action: ProjectAction): void => {
    keepOpener()
    decide.reset()
    setOpen({ action, from: project.status })
  }
  const openDeletion = (): void => {
    keepOpener()
    setDeletingAfter(project.decidedAt)
  }
  const close = (): void => {
    setOpen(null)
    setDeletingAfter(null)
    if (opener?.isConnected === true) opener.focus()
    else dock.current?.focus()
  }
  const report = ({ action, from }: { action: ProjectAction; from: DeskProject['status'] }): void => {
    showToast({ kind: 'done', subject: project.content.title, text: doneText(action, from) })
    goOn.current()
  }
  const confirm = (text: string): void => {
    if (open === null) return
    decide.mutate(
      { ...open, reason: text },
      {
        onSuccess() {
          // Closed before the toast, so that keys pressed then do not end up in the reason.
          flushSync(() => setOpen(null))
          report(open)
        },
      },
    )
  }
  const isMade = wasMade(decide, project, me)
  if (isMade && open !== null) setOpen(null)
  const finishMade = useEffectEvent(() => {
    if (decide.variables === undefined) return
    writeReason(project.id, decide.variables.action, '')
    report(decide.variables)
    decide.reset()
  })
  useEffect(() => {
    if (isMade) finishMade()
  }, [isMade])
  const conflicts = open !== null && project.status !== open.from && !decide.isPending && !decide.isSuccess
  return (
    <DockFrame ref={dock} open={open !== null}>
      {deleting ? (
        <ProjectDeletion
          project={project}
          onClose={close}
          onDeleted={() => {
            showToast({ kind: 'done', subject: project.content.title, text: texts.deletion.done })
            onDeleted()
          }}
        />
      ) : open === null ? (
        <DecisionButtons project={project} onDecide={openDecision} onDelete={openDeletion} />
      ) : conflicts ? (
        <DecisionConflictNotice
          title={conflictTitle(project, me, now)}
          theirReason={project.reason}
          ownReason={reason}
          next={hasNext ? labels.next : null}
          onNext={onNext}
          onClose={close}
        />
      ) : (
        <ProjectDecision
          key={open.action}
          action={open.action}
          project={project}
          reason={reason}
          onReason={(next) => writeReason(project.id, open.action, next)}
          error={decide.error}
          sending={decide.isPending}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </DockFrame>
  )
}

const takenId = 'approve-refused'

/** What the dock shows until a decision is begun. */
function DecisionButtons({
  project,
  onDecide,
  onDelete,
}: {
  project: DeskProject
  onDecide: (action: ProjectAction) => void
  onDelete: () => void
}) {
  const { id, content, status } = project
  const slug = useQuery({ ...projectSlugQuery(content.slug, id), enabled: status !== 'approved' })
  const taken = status !== 'approved' && slug.data?.free === false
  const approve = (): void => {
    if (!taken) onDecide('approved')
  }
  const reject = (): void => onDecide('rejected')
  useActions(actionsFor(project, taken, { approve, reject, remove: onDelete }))
  return (
    <DockLine
      blocked={taken}
      effect={
        taken ? (
          <p id={takenId}>{labels.urlTaken(publicPath(project), slug.data?.suggestion ?? null)}</p>
        ) : (
          <p>{statusEffect(project)}</p>
        )
      }
    >
      {status === 'pending' && (
        <DockButton icon={IconCircleX} keys={decisionKeys.reject} onClick={reject}>
          {labels.reject}
        </DockButton>
      )}
      {status === 'rejected' && (
        <DockButton icon={IconTrash} keys={decisionKeys.remove} onClick={onDelete}>
          {labels.delete}
        </DockButton>
      )}
      {status !== 'approved' && (
        <DockButton
          icon={IconCircleCheck}
          keys={decisionKeys.approve}
          filled
          blockedBy={taken ? takenId : null}
          onClick={approve}
        >
          {labels.approve}
        </DockButton>
      )}
      {status === 'approved' && (
        <DockButton icon={IconBan} keys={decisionKeys.remove} onClick={reject}>
          {labels.takeDown}
        </DockButton>
      )}
    </DockLine>
  )
}

function actionsFor(
  { content, status }: DeskProject,
  taken: boolean,
  { approve, reject, remove }: Record<'approve' | 'reject' | 'remove', () => void>,
): Action[] {
  const one = (id: string, label: (title: string) => string, key: string, run: () => void): Action => ({
    id: `decide-${id}`,
    label: label(content.title),
    group: 'Decide',
    keys: [key],
    run,
  })
  if (status === 'approved') return [one('rejected', labels.actions.takeDown, decisionKeys.remove, reject)]
  return [
    ...(taken ? [] : [one('approved', labels.actions.approve, decisionKeys.approve, approve)]),
    status === 'pending'
      ? one('rejected', labels.actions.reject, decisionKeys.reject, reject)
      : one('deleted', labels.actions.delete, decisionKeys.remove, remove),
  ]
}

const isBy = ({ decidedBy }: DeskProject, me: DeskPerson): boolean => decidedBy === (me.name ?? me.subject)

/** Whether a decision was made although its answer was lost: the project shows it. */
function wasMade(
  { error, variables: sent }: ReturnType<typeof useDecideProject>,
  project: DeskProject,
  me: DeskPerson,
): boolean {
  if (sent === undefined || error === null || !isUnanswered(asApiError(error))) return false
  return isBy(project, me) && project.status === sent.action && (project.reason ?? '') === sent.reason.trim()
}

/** `Tomáš Novák approved this 40 s ago` */
function conflictTitle(project: DeskProject, me: DeskPerson, now: number): string {
  const { status, decidedAt, decidedBy } = project
  const who = isBy(project, me) ? labels.you : (decidedBy ?? labels.someone)
  const age = decidedAt === null ? 0 : Math.max(0, now - Date.parse(decidedAt))
  return labels.conflict(who, status, age < 5000 ? labels.justNow : labels.ago(formatAge(age)))
}
