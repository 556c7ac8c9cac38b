import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useActions } from '../../lib/keys/actions.ts'
import { useFocus } from '../../lib/keys/use-focus.ts'
import { issueOf } from '../../lib/server/api-error.ts'
import { Failure } from '../feedback/failure.tsx'
import classes from './action-form.module.css'

/** The state of the change that a form makes: that of its mutation. */
export interface Change {
  isPending: boolean
  error: unknown
}

interface Props {
  label?: string
  className?: string | undefined
  /** Whether it stands out from the lines of a page. */
  boxed?: boolean
  submit: string
  /** Marks an action that can't be undone. */
  color?: 'red'
  /** Whether the button takes the focus, for a form without fields. */
  takeFocus?: boolean
  /** By default, `Cancel`. */
  cancel?: string
  onCancel?: (() => void) | undefined
  isReady?: boolean
  change: Change
  /** What failed, such as `Couldn't create the token`. */
  failed: string
  /** The paths of the problems that are shown at their fields. */
  fields?: readonly string[]
  onSubmit: () => void
  /** After the buttons. */
  more?: ReactNode
  children: ReactNode
}

/** The fields of an action with its buttons, and why it failed if no field says so. */
export function ActionForm(props: Props) {
  const {
    label,
    className = '',
    boxed = false,
    submit,
    color,
    cancel = 'Cancel',
    onCancel,
    isReady = true,
    change: { isPending, error },
    failed,
    fields = [],
  } = props
  const focus = useFocus<HTMLButtonElement>()
  return (
    <form
      className={boxed ? `${classes['box']} ${className}` : className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isPending) props.onSubmit()
      }}
    >
      {props.children}
      <div className={classes['actions']} data-actions>
        <Button
          type="submit"
          variant="filled"
          {...(props.takeFocus === true && { ref: focus })}
          {...(color !== undefined && { color })}
          disabled={!isReady}
          loading={isPending}
        >
          {submit}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{cancel}</Button>}
        {props.more}
      </div>
      {error !== null && fields.every((field) => issueOf(error, field) === null) && (
        <div className={classes['failure']}>
          <Failure error={error} what={failed} />
        </div>
      )}
    </form>
  )
}

/** Escape closes a form, also from within its fields. */
export function useEscape(label: string, onClose: () => void): void {
  useActions([
    {
      id: 'close-form',
      label,
      group: 'Anywhere',
      keys: ['Escape'],
      inFields: true,
      keysOnly: true,
      run: onClose,
    },
  ])
}
