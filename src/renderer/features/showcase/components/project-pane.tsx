import { VisuallyHidden } from '@mantine/core'
import { IconStar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { SheetPlaceholder, ListButton, SheetPane, SheetNotice } from '../../../components/list/sheet-pane.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useProjectDraft } from '../project-draft.ts'
import { deskProjectQuery } from '../showcase.api.ts'
import { ProjectDock } from './project-dock.tsx'
import { ProjectEditor } from './project-editor.tsx'
import { ProjectSheet } from './project-sheet.tsx'
import { texts } from '../showcase.texts.ts'

const { pane } = texts

interface Props {
  id: number | null
  me: DeskPerson
  /** Whether the list is known to be empty. */
  nothing: boolean
  hasNext: boolean
  onOpenList: () => void
  onNext: () => void
  /** Called when a change has moved the project within the list. */
  onPlaced: () => void
  onDeleted: (id: number) => void
}

/** The selected project, to read or to edit, and the dock that decides it. */
export function ProjectPane(props: Props) {
  const { id, me, nothing, hasNext, onOpenList, onNext, onPlaced, onDeleted } = props
  const project = useQuery({ ...deskProjectQuery(id ?? 0), enabled: id !== null })
  const editing = useProjectDraft(id ?? 0) !== null
  const list = <ListButton label={texts.list.label} onOpen={onOpenList} />
  if (project.data !== undefined) {
    return (
      <SheetPane
        sheet={
          <>
            {project.error !== null && (
              <SheetNotice>
                <Failure
                  error={project.error}
                  what={asApiError(project.error).code === 'NOT_FOUND' ? pane.deleted : pane.refreshFailed}
                  retry={() => void project.refetch()}
                />
              </SheetNotice>
            )}
            {editing ? (
              <ProjectEditor project={project.data} list={list} />
            ) : (
              <ProjectSheet project={project.data} list={list} onPlaced={onPlaced} />
            )}
          </>
        }
        dock={
          editing ? undefined : (
            <ProjectDock
              project={project.data}
              me={me}
              hasNext={hasNext}
              onNext={onNext}
              onDeleted={() => onDeleted(project.data.id)}
            />
          )
        }
      />
    )
  }
  return (
    <SheetPane
      sheet={
        <SheetPlaceholder label={pane.label}>
          <VisuallyHidden component="h1">{texts.page.title}</VisuallyHidden>
          {list}
          {id === null ? (
            nothing && <EmptyState icon={IconStar} title={pane.none} />
          ) : project.error === null ? (
            <Skeleton rows={9} height={40} what={pane.loading} />
          ) : (
            <Failure
              error={project.error}
              what={asApiError(project.error).code === 'NOT_FOUND' ? pane.notFound : pane.loadFailed}
              retry={() => void project.refetch()}
            />
          )}
        </SheetPlaceholder>
      }
    />
  )
}
