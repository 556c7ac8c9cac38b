import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FirstRun, FolderState } from '../../../../shared/contracts/desk-session.ts'
import { folderProblem } from '../../../../shared/data-folder-problem.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder, moveToFolder } from '../../../lib/app/folders.ts'
import { formatSize } from '../../../lib/format.ts'
import { texts } from '../session.texts.ts'
import classes from '../first-run-page.module.css'
import { checkFolder, folderQuery } from '../sign-in.api.ts'

const { folder: labels } = texts.firstRun

/** The data folder. In the app another one can be chosen, and the app restarts with it. */
export function DataFolder({ code, firstRun }: { code: string; firstRun: FirstRun }) {
  const current = useQuery(folderQuery(code, firstRun.dataFolder))
  const [chosen, setChosen] = useState<FolderState | null>(null)
  const [moving, setMoving] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const move = async (folder: string): Promise<void> => {
    setMoving(folder)
    try {
      // On success the page is unloaded before this resolves.
      await moveToFolder(folder)
    } catch (error) {
      setMoving(null)
      setProblem(asApiError(error).message)
    }
  }
  const choose = async (): Promise<void> => {
    try {
      const folder = await chooseFolder('data')
      if (folder === null) return
      setProblem(null)
      setChosen(null)
      const state = await checkFolder(code, folder)
      if (state.state === 'empty') await move(folder)
      else if (state.state !== 'own') setChosen(state)
    } catch (error) {
      setProblem(asApiError(error).message)
    }
  }
  return (
    <div>
      <p className={classes['label']}>{labels.label}</p>
      <div className={classes['chosen']}>
        <code className={classes['folder']}>{chosen?.path ?? moving ?? firstRun.dataFolder}</code>
        {bridge !== null && firstRun.mayChooseDataFolder && (
          <Button aria-label={labels.chooseLabel} loading={moving !== null} onClick={() => void choose()}>
            {labels.choose}
          </Button>
        )}
      </div>
      {problem !== null ? (
        <Problem text={problem} />
      ) : moving !== null ? (
        <p data-text="hint" role="status">
          {labels.moving}
        </p>
      ) : chosen !== null ? (
        <ChosenFolder
          state={chosen}
          former={firstRun.dataFolder}
          onOpen={() => {
            setChosen(null)
            void move(chosen.path)
          }}
          onBack={() => setChosen(null)}
        />
      ) : (
        <CurrentFolder state={current.data} />
      )}
    </div>
  )
}

function CurrentFolder({ state }: { state: FolderState | undefined }) {
  const problem = state === undefined ? null : folderProblem(state)
  if (problem !== null) return <Problem text={problem} />
  const freeBytes = state?.freeBytes ?? null
  return (
    <p data-text="hint">
      {state !== undefined && (
        <span data-ink="ok">
          <IconCircleCheckFilled size={14} aria-hidden />{' '}
          {labels.usable(freeBytes === null ? null : formatSize(freeBytes))}{' '}
        </span>
      )}
      {labels.backup}
    </p>
  )
}

interface ChosenProps {
  state: FolderState
  former: string
  onOpen: () => void
  onBack: () => void
}

/** A chosen folder that is not empty: it contains a registry, which can be opened, or it cannot be used. */
function ChosenFolder({ state, former, onOpen, onBack }: ChosenProps) {
  const problem = folderProblem(state)
  return (
    <>
      {problem === null ? (
        <p data-text="hint" role="status">
          {labels.existing}
        </p>
      ) : (
        <Problem text={problem} />
      )}
      <div className={classes['ways']} data-actions>
        {problem === null && (
          <Button size="sm" onClick={onOpen}>
            {labels.open}
          </Button>
        )}
        <Button size="sm" onClick={onBack}>
          {labels.keep(former)}
        </Button>
      </div>
    </>
  )
}

function Problem({ text }: { text: string }) {
  return (
    <p data-text="hint" data-ink="bad" role="alert">
      <IconAlertOctagonFilled size={14} aria-hidden /> {text}
    </p>
  )
}
