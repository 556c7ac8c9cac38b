import { Button, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { splitArguments } from './arguments.ts'
import type { OwnInput } from './runs.ts'
import classes from './test-runs.module.css'

interface ArgumentsProps {
  line: string
  onChange: (line: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function Arguments({ line, onChange, onKeyDown }: ArgumentsProps) {
  const field = useFocus<HTMLInputElement>()
  return (
    <TextInput
      ref={field}
      aria-label="Arguments, with spaces between"
      placeholder="Arguments, with spaces between"
      spellCheck={false}
      value={line}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

/** An input of the reviewer's own, and arguments where they are wanted. */
export function CustomRun({ busy, onRun }: { busy: boolean; onRun: (input: OwnInput) => void }) {
  const [stdin, setStdin] = useState('')
  const [line, setLine] = useState<string | null>(null)
  const run = (): void => {
    if (!busy) onRun({ stdin, args: splitArguments(line ?? '') })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    run()
  }
  return (
    <div className={classes['try']} role="group" aria-label="Try it">
      <div className={classes['fields']}>
        <Textarea
          aria-label="Try it: your own standard input"
          placeholder="Try it: your own standard input…"
          autosize
          minRows={1}
          maxRows={10}
          spellCheck={false}
          value={stdin}
          onChange={(event) => setStdin(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {line !== null && <Arguments line={line} onChange={setLine} onKeyDown={onKeyDown} />}
      </div>
      <Button aria-expanded={line !== null} onClick={() => setLine(line === null ? '' : null)}>
        Arguments
      </Button>
      <Button
        onClick={run}
        aria-disabled={busy || undefined}
        rightSection={<Keycap keys="mod+Enter" quiet />}
      >
        Run
      </Button>
    </div>
  )
}
