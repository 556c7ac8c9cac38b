import { Button, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { splitArguments } from './split-arguments.ts'
import type { CustomInput } from './runs.ts'
import { texts } from '../review.texts.ts'
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
      aria-label={texts.testRuns.argumentsHint}
      placeholder={texts.testRuns.argumentsHint}
      data-mono
      spellCheck={false}
      value={line}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

/** Runs the module with input and arguments chosen by the reviewer. */
export function CustomRun({ busy, onRun }: { busy: boolean; onRun: (input: CustomInput) => void }) {
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
    <div className={classes['try']} role="group" aria-label={texts.testRuns.customTable}>
      <div className={classes['fields']}>
        <Textarea
          aria-label={texts.testRuns.customInput}
          placeholder={texts.testRuns.customInputPlaceholder}
          autosize
          minRows={1}
          maxRows={10}
          data-mono
          spellCheck={false}
          value={stdin}
          onChange={(event) => setStdin(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {line !== null && <Arguments line={line} onChange={setLine} onKeyDown={onKeyDown} />}
      </div>
      <Button aria-expanded={line !== null} onClick={() => setLine(line === null ? '' : null)}>
        {texts.testRuns.arguments}
      </Button>
      <ActionButton onClick={run} aria-disabled={busy || undefined} keys="mod+Enter">
        {texts.testRuns.runCustom}
      </ActionButton>
    </div>
  )
}
