import { VisuallyHidden } from '@mantine/core'
import { IconStar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { InsteadOfSheet, ListButton, SheetPane, SheetTrouble } from '../../../components/list/sheet-pane.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { useProjectDraft } from '../project-draft.ts'
import { deskProjectQuery } from '../showcase.api.ts'
import { ProjectDock } from './project-dock.tsx'
import { ProjectEditor } from './project-editor.tsx'
import { ProjectSheet } from './project-sheet.tsx'

interface Props {
  id: number | null
  me: DeskPerson
  /** Whether it is known that nothing is there to be selected. */
  nothing: boolean
  hasNext: boolean
  onOpenList: () => void
  onNext: () => void
  /** What was changed here has another place in the list. */
  onPlaced: () => void
  onDeleted: (id: number) => void
}

/** The project that is selected, to read or to edit, over the dock that decides it. */
export function ProjectPane(props: Props) {
  const { id, me, nothing, hasNext, onOpenList, onNext, onPlaced, onDeleted } = props
  const project = useQuery({ ...deskProjectQuery(id ?? 0), enabled: id !== null })
  const editing = useProjectDraft(id ?? 0) !== null
  const list = <ListButton label="Projects" onOpen={onOpenList} />
  if (project.data !== undefined) {
    return (
      <SheetPane
        sheet={
          <>
            {project.error !== null && (
              <SheetTrouble>
                <Failure
                  error={project.error}
                  what={
                    asApiError(project.error).code === 'NOT_FOUND'
                      ? 'Somebody deleted this project meanwhile'
                      : 'This project could not be read again'
                  }
                  retry={() => void project.refetch()}
                />
              </SheetTrouble>
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
        <InsteadOfSheet label="Project">
          <VisuallyHidden component="h1">Showcase</VisuallyHidden>
          {list}
          {id === null ? (
            nothing && <EmptyState icon={IconStar} title="No project is selected" />
          ) : project.error === null ? (
            <Bones rows={9} height={40} what="the project" />
          ) : (
            <Failure
              error={project.error}
              what={
                asApiError(project.error).code === 'NOT_FOUND'
                  ? 'There is no project at this address'
                  : 'This project cannot be read'
              }
              retry={() => void project.refetch()}
            />
          )}
        </InsteadOfSheet>
      }
    />
  )
}
