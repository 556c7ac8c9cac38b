import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FirstRun, FolderState } from '../../../../shared/contracts/desk-session.ts'
import { folderProblem } from '../../../../shared/data-folder-words.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { chooseFolder, moveToFolder } from '../../../lib/app/folders.ts'
import { formatSize } from '../../../lib/format.ts'
import classes from '../first-run-page.module.css'
import { checkFolder, folderQuery } from '../session.api.ts'

/** Where everything is kept; another folder can be chosen in the app, which then starts anew there. */
export function DataFolder({ code, firstRun }: { code: string; firstRun: FirstRun }) {
  const present = useQuery(folderQuery(code, firstRun.dataFolder))
  const [chosen, setChosen] = useState<FolderState | null>(null)
  const [moving, setMoving] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)

  const move = async (folder: string): Promise<void> => {
    setMoving(folder)
    try {
      // The page is taken away before it hears of the end.
      await moveToFolder(folder)
    } catch (error) {
      setMoving(null)
      setWrong(asApiError(error).message)
    }
  }
  const choose = async (): Promise<void> => {
    try {
      const folder = await chooseFolder('data')
      if (folder === null) return
      setWrong(null)
      setChosen(null)
      const state = await checkFolder(code, folder)
      if (state.state === 'empty') await move(folder)
      else if (state.state !== 'own') setChosen(state)
    } catch (error) {
      setWrong(asApiError(error).message)
    }
  }
  return (
    <div>
      <p className={classes['label']}>Where the data lies</p>
      <div className={classes['chosen']}>
        <code className={classes['folder']}>{chosen?.path ?? moving ?? firstRun.dataFolder}</code>
        {bridge !== null && firstRun.mayChooseDataFolder && (
          <Button
            aria-label="Choose where the data lies…"
            loading={moving !== null}
            onClick={() => void choose()}
          >
            Choose…
          </Button>
        )}
      </div>
      {wrong !== null ? (
        <Wrong text={wrong} />
      ) : moving !== null ? (
        <p className={classes['hint']} role="status">
          Skilldock starts anew on this folder. What you have written stays.
        </p>
      ) : chosen !== null ? (
        <Chosen
          state={chosen}
          former={firstRun.dataFolder}
          onOpen={() => {
            setChosen(null)
            void move(chosen.path)
          }}
          onBack={() => setChosen(null)}
        />
      ) : (
        <Present state={present.data} />
      )}
    </div>
  )
}

function Present({ state }: { state: FolderState | undefined }) {
  const problem = state === undefined ? null : folderProblem(state)
  if (problem !== null) return <Wrong text={problem} />
  const free =
    state?.freeBytes === undefined || state.freeBytes === null ? '' : `, ${formatSize(state.freeBytes)} free`
  return (
    <p className={classes['hint']}>
      {state !== undefined && (
        <span className={classes['good']}>
          <IconCircleCheckFilled size={14} aria-hidden /> New, writable{free}.{' '}
        </span>
      )}
      A backup of this one folder is a whole backup.
    </p>
  )
}

interface ChosenProps {
  state: FolderState
  former: string
  onOpen: () => void
  onBack: () => void
}

/** A folder that was chosen and that nothing is begun in by itself. */
function Chosen({ state, former, onOpen, onBack }: ChosenProps) {
  const problem = folderProblem(state)
  return (
    <>
      {problem === null ? (
        <p className={classes['hint']} role="status">
          It holds a registry already: its people, releases and settings count there, and you sign in as one
          of its administrators.
        </p>
      ) : (
        <Wrong text={problem} />
      )}
      <div className={classes['ways']}>
        {problem === null && (
          <Button size="sm" onClick={onOpen}>
            Open that registry
          </Button>
        )}
        <Button size="sm" onClick={onBack}>
          Keep {former}
        </Button>
      </div>
    </>
  )
}

function Wrong({ text }: { text: string }) {
  return (
    <p className={classes['wrong']} role="alert">
      <IconAlertOctagonFilled size={14} aria-hidden /> {text}
    </p>
  )
}
